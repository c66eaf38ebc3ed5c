/** Bytes that arrive piece by piece and stand in one buffer, so that a large body is held once. */
export interface GrowingBytes {
  readonly length: number
  /** One more byte; false when there would be too many. */
  push(byte: number): boolean
  /** A view to write `count` more bytes into; they count as written. Undefined when there would be too many. */
  room(count: number): Buffer | undefined
  /** Takes back bytes at the end that were not written after all. */
  shorten(count: number): void
  /** A view of all bytes; it ends with the next change. */
  view(): Buffer
  /** The bytes with a buffer of their own; nothing may be written afterwards. */
  take(): Uint8Array<ArrayBuffer>
}

/** No bytes yet; at most `most`. */
export function createGrowingBytes(maxBytes: number): GrowingBytes {
  // Grows in place: its pages are only taken from the system when they are written.
  const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes })
  const all = new Uint8Array(buffer)
  let length = 0
  const grow = (count: number): boolean => {
    if (length + count > maxBytes) return false
    if (length + count > buffer.byteLength)
      buffer.resize(Math.min(maxBytes, Math.max(length + count, buffer.byteLength + 1024 * 1024)))
    return true
  }
  return {
    get length() {
      return length
    },
    push(byte) {
      if (!grow(1)) return false
      all[length++] = byte
      return true
    },
    room(count) {
      if (!grow(count)) return undefined
      const view = Buffer.from(buffer, length, count)
      length += count
      return view
    },
    shorten(count) {
      length -= count
    },
    view: () => Buffer.from(buffer, 0, length),
    take: () => new Uint8Array(buffer.transferToFixedLength(length)),
  }
}
