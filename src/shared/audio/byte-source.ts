/** Random access to bytes in a file or in memory. */
export interface ByteSource {
  readonly size: number
  /** Returns at most `length` bytes from `offset`; fewer at the end. Valid until the next call. */
  bytes(offset: number, length: number): Promise<Uint8Array>
}

/** Creates a source over bytes in memory. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    bytes: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** Decodes bytes as text, one character each; for tags and other short markers. */
export function textOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** Creates a DataView of bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
