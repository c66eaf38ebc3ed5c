/** Growing byte buffer for data received in chunks, so that a large body is in memory only once. */
interface GrowingBytes {
  readonly length: number
  /** Appends a byte; returns false if the limit would be exceeded. */
  push(byte: number): boolean
  /**
   * Returns a view for writing `count` more bytes, which count as written. Undefined if the limit would be exceeded.
   */
  room(count: number): Buffer | undefined
  /** Removes `count` bytes at the end that were reserved but not written. */
  shorten(count: number): void
  /** View of all bytes; valid until the next change. */
  view(): Buffer
  /** Returns the bytes with a buffer of their own; nothing may be written afterwards. */
  take(): Uint8Array<ArrayBuffer>
}

/** Creates an empty buffer of at most `most` bytes. */
export function createGrowingBytes(maxBytes: number): GrowingBytes {
  // Grows in place: the system allocates its pages only when they are written.
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
