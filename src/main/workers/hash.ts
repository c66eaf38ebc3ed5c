import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { serve } from './serve.ts'

/** A file to hash. */
export interface HashRequest {
  readonly path: string
}

/** Lower-case hex SHA-256 and the bytes read. */
export interface HashAnswer {
  readonly sha256: string
  readonly bytes: number
}

serve<HashRequest, HashAnswer>(({ path }) => {
  const file = openSync(path, 'r')
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    let bytes = 0
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read))
      bytes += read
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    closeSync(file)
  }
})
