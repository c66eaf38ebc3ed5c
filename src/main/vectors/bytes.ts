/** Every computer Lectern runs on keeps numbers this way round; where one does not, bytes are turned. */
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** The bytes of a vector as they are kept: 32-bit floats, little-endian. They may share the vector's memory. */
export function bytesOfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return littleEndian ? bytes : Buffer.from(bytes).swap32()
}

/** A vector out of the bytes that are kept; always a copy, because bytes of SQLite may begin anywhere. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer)
  if (!littleEndian) copy.swap32()
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4)
}
