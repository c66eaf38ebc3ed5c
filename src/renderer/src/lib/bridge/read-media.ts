/**
 * Returns bytes of a stored file from an offset to its current end; empty if it is not longer, null if unreadable. Never rejects.
 */
export async function readMedia(
  url: string,
  from: number,
  signal: AbortSignal,
): Promise<ArrayBuffer | null> {
  try {
    const headers = from > 0 ? { range: `bytes=${from}-` } : {}
    const response = await fetch(url, { headers, signal, cache: 'no-store' })
    // The offset is the end of the file: nothing was added.
    if (response.status === 416) return new ArrayBuffer(0)
    if (response.status !== (from > 0 ? 206 : 200)) return null
    return await response.arrayBuffer()
  } catch {
    return null
  }
}

/** Returns the type of a stored file as main reports it; empty if unavailable. Never rejects. */
export async function mediaType(url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, { headers: { range: 'bytes=0-0' }, signal })
    await response.arrayBuffer()
    return response.ok ? (response.headers.get('content-type') ?? '') : ''
  } catch {
    return ''
  }
}

/** Returns bytes `begin` to `end` (exclusive) of a stored file; null if it is gone or unreadable. Never rejects. */
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
