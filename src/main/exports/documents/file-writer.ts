import { open, type FileHandle } from 'node:fs/promises'

/** A file that grows piece by piece; pieces are gathered to blocks before they reach the disk. */
export interface FileWriter {
  /** Text (as UTF-8) or bytes behind all that was written before. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Bytes written so far. */
  readonly size: number
  close(): Promise<void>
}

/** Bytes gathered before the disk is asked. */
const block = 256 * 1024

/** Makes a file that must not be there yet; it is readable by its owner alone. */
export async function createFile(path: string): Promise<FileWriter> {
  const file = await open(path, 'wx', 0o600)
  let waiting: Uint8Array[] = []
  let length = 0
  let size = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    length = 0
    await writeAll(file, bytes)
  }
  return {
    async write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk
      waiting.push(bytes)
      length += bytes.length
      size += bytes.length
      if (length >= block) await flush()
    },
    get size() {
      return size
    },
    async close() {
      try {
        await flush()
      } finally {
        await file.close()
      }
    },
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Writes a file by a function and closes it whatever happens; gives its size in bytes. */
export async function writeFileBy(
  path: string,
  fill: (file: FileWriter) => Promise<void>,
): Promise<number> {
  const file = await createFile(path)
  try {
    await fill(file)
  } finally {
    await file.close()
  }
  return file.size
}
