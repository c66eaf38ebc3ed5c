import type { EmbeddingText } from '../../../../../../shared/model/embeddings.ts'
import { readMedia, readMediaRange } from '../../../../lib/bridge/read-media.ts'

/** Bytes requested at a time. */
const chunkSize = 8 * 1024 * 1024

/** Lines parsed before control returns to the event loop. */
const readAtOnce = 2000

/** Thrown if a file does not exist (any more), or is shorter than its reported size. */
export class Gone extends Error {}

/** Signal that never aborts: reading ends only with the worker. */
const never = new AbortController().signal

/** Reads a stored file in chunks with Range requests. */
export async function readBytes(
  url: string,
  bytes: number,
  onProgress: (done: number) => void,
): Promise<ArrayBuffer> {
  const whole = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += chunkSize) {
    const end = Math.min(bytes, at + chunkSize)
    const part = await readMediaRange(url, at, end, never)
    if (!part) throw new Gone()
    whole.set(part, at)
    onProgress(end / bytes)
  }
  return whole.buffer
}

/** Reads the texts of a stored file, one JSON object per line. */
export async function readTexts(url: string): Promise<readonly EmbeddingText[]> {
  const bytes = await readMedia(url, 0, never)
  if (!bytes) throw new Gone()
  const lines = new TextDecoder().decode(bytes).split('\n')
  const texts: EmbeddingText[] = []
  for (const [at, line] of lines.entries()) {
    if (at % readAtOnce === readAtOnce - 1) await new Promise((resolve) => setTimeout(resolve, 0))
    if (line !== '') texts.push(JSON.parse(line) as EmbeddingText)
  }
  return texts
}
