/** Bytes that are read in pieces, wherever the reader needs them: an open file, or memory. */
export interface ByteSource {
  readonly size: number
  /** The bytes from `offset`, at most `length`; fewer at the end. Valid until the next call. */
  bytes(offset: number, length: number): Promise<Uint8Array>
}

/** A source over bytes that are all in memory. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    bytes: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** Bytes as text, one character each; meant for tags and other short marks. */
export function textOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** Bytes as numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
