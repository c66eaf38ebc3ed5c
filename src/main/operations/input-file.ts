import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { kindOf } from '../../shared/audio/kind.ts'
import { AppError } from '../errors.ts'
import { sniff, sniffBytes } from '../platform/files/sniff.ts'
import type { InputFile } from './operation.ts'

/** Types without a signature of their own in the file, or that share one with others. */
const byEnding: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.jsonl': 'application/jsonl',
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/**
 * Returns a file on disk as operations use it; `countPages` counts a PDF's pages, `name` is sent to the provider. Throws
 * FILE_MISSING.
 */
export async function inputFile(
  path: string,
  countPages: (path: string) => Promise<number | null>,
  name: string = basename(path),
): Promise<InputFile> {
  const missing = (): never => {
    throw new AppError('FILE_MISSING', 'The file cannot be opened.', { params: { name } })
  }
  const handle = await open(path, 'r').catch(missing)
  try {
    const about = await handle.stat()
    if (!about.isFile()) return missing()
    const head = Buffer.alloc(Math.min(sniffBytes, about.size))
    await handle.read(head, 0, head.length, 0)
    const kind = kindOf(head.subarray(0, 64), about.size)
    const sniffed = sniff(head, about.size)
    const plain = sniffed === 'application/octet-stream'
    return {
      path,
      bytes: about.size,
      name,
      mime: plain ? (byEnding[extname(name).toLowerCase()] ?? sniffed) : sniffed,
      kind,
      pages: async () => (kind === 'pdf' ? countPages(path) : null),
    }
  } finally {
    await handle.close()
  }
}
