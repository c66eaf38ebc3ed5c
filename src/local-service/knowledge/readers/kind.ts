import { extname } from 'node:path'
import { textFormatOf } from '../../../shared/documents/text-formats.ts'
import { engineNotices } from '../../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../../shared/provider/sentences.ts'
import type { DocumentKind } from '../../../shared/knowledge/slicing/types.ts'

const starts: readonly (readonly [kind: DocumentKind | 'zip' | 'old', bytes: readonly number[]])[] =
  [
    ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
    ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['jpeg', [0xff, 0xd8, 0xff]],
    ['zip', [0x50, 0x4b, 0x03, 0x04]],
    ['old', [0xd0, 0xcf, 0x11, 0xe0]],
  ]

const texts: Readonly<Record<string, DocumentKind>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
  '.text': 'text',
  '.csv': 'sheet',
  '.tsv': 'sheet',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
}

/** Number of bytes that {@link documentKind} inspects. */
export const kindBytes = 8

/**
 * Detects the file type by its first bytes, or by its name for text. Returns a reason in words if the file cannot be
 * read here.
 */
export function documentKind(
  name: string,
  head: Uint8Array,
): { readonly kind: DocumentKind } | { readonly reason: string } {
  const found = starts.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte))?.[0]
  if (found === 'zip') {
    const format = textFormatOf(name)
    if (format && format !== 'md' && format !== 'txt' && format !== 'html') return { kind: format }
  }
  if (found === 'zip' || found === 'old') return { reason: engineNotices.officeFile }
  if (found) return { kind: found }
  const ending = extname(name).toLowerCase()
  const kind = Object.hasOwn(texts, ending) ? texts[ending] : undefined
  if (kind) return { kind }
  return {
    reason:
      ending === ''
        ? engineNotices.otherFileBare
        : fillSentence(engineNotices.otherFile, { ending: ending.slice(0, 16) }),
  }
}
