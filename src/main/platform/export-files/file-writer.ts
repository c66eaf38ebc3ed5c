import { open, type FileHandle } from 'node:fs/promises'

/** A file written sequentially; data is buffered into blocks before it is written to disk. */
export interface FileWriter {
  /** Appends text (as UTF-8) or bytes. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Bytes written so far. */
  readonly size: number
  close(): Promise<void>
}

/** Bytes buffered before a write to disk. */
const block = 256 * 1024

/** Creates a file that must not exist yet, readable by its owner only. */
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

/** Writes a file through a function and always closes it; returns its size in bytes. */
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
