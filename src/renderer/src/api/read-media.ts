/** Bytes of a stored file from an offset to its present end; none when it is not longer, null when it cannot be read. Never rejects. */
export async function readMedia(
  url: string,
  from: number,
  signal: AbortSignal,
): Promise<ArrayBuffer | null> {
  try {
    const headers = from > 0 ? { range: `bytes=${from}-` } : {}
    const response = await fetch(url, { headers, signal, cache: 'no-store' })
    // The offset is its end: nothing was added.
    if (response.status === 416) return new ArrayBuffer(0)
    if (response.status !== (from > 0 ? 206 : 200)) return null
    return await response.arrayBuffer()
  } catch {
    return null
  }
}

/** The type of a stored file as main tells it; empty when it cannot be had. Never rejects. */
export async function mediaType(url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, { headers: { range: 'bytes=0-0' }, signal })
    await response.arrayBuffer()
    return response.ok ? (response.headers.get('content-type') ?? '') : ''
  } catch {
    return ''
  }
}

/** Bytes `begin` to `end` (not included) of a stored file; null when it is gone or cannot be read now. Never rejects. */
export async function readMediaRange(
  url: string,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await fetch(url, { headers: { range: `bytes=${begin}-${end - 1}` }, signal })
    if (response.status !== 206) return null
    const bytes = new Uint8Array(await response.arrayBuffer())
    return bytes.byteLength === end - begin ? bytes : null
  } catch {
    return null
  }
}
