import type { EmbeddingText } from '../../../../../shared/model/embeddings.ts'

/** Bytes asked for at a time. */
const stretch = 8 * 1024 * 1024

/** Thrown where a file is not there (any more), or shorter than it was said to be. */
export class Gone extends Error {}

/** A stored file, read a stretch at a time by Range. */
export async function readBytes(
  url: string,
  bytes: number,
  onProgress: (done: number) => void,
): Promise<ArrayBuffer> {
  const whole = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += stretch) {
    const end = Math.min(bytes, at + stretch)
    const reply = await fetch(url, { headers: { range: `bytes=${at}-${end - 1}` } })
    if (reply.status !== 206) throw new Gone()
    const part = new Uint8Array(await reply.arrayBuffer())
    if (part.length !== end - at) throw new Gone()
    whole.set(part, at)
    onProgress(end / bytes)
  }
  return whole.buffer
}

/** The texts of a stored file, one JSON object a line. */
export async function readTexts(url: string): Promise<readonly EmbeddingText[]> {
  const reply = await fetch(url)
  if (!reply.ok) throw new Gone()
  const lines = (await reply.text()).split('\n')
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as EmbeddingText]))
}
