/** Every computer Lectern runs on keeps numbers this way round; where one does not, bytes are turned. */
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** The bytes of a vector as they are kept: floats of its own width, little-endian. They may share the vector's memory. */
export function bytesOfVector(vector: Float32Array | Float64Array): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  if (littleEndian) return bytes
  return vector instanceof Float32Array ? Buffer.from(bytes).swap32() : Buffer.from(bytes).swap64()
}

/** Whether 32-bit floats hold each number as it came. */
export const isSingle = (vector: Float32Array | Float64Array): boolean =>
  vector instanceof Float32Array || vector.every((number) => Math.fround(number) === number)

/** A vector in the fewest bytes that lose nothing: 32-bit floats where they hold it, else 64-bit ones. */
export const exactBytes = (vector: Float32Array | Float64Array): Buffer =>
  bytesOfVector(isSingle(vector) ? Float32Array.from(vector) : vector)

/** A vector of so many numbers out of {@link exactBytes}; undefined for bytes of another length. */
export function exactVector(bytes: Uint8Array, dimensions: number): Float64Array | undefined {
  if (bytes.byteLength === dimensions * 4) return Float64Array.from(vectorOfBytes(bytes))
  if (bytes.byteLength !== dimensions * 8) return undefined
  const copy = Buffer.from(new Uint8Array(bytes).buffer)
  if (!littleEndian) copy.swap64()
  return new Float64Array(copy.buffer, copy.byteOffset, dimensions)
}

/** A vector out of its 32-bit floats; always a copy, because bytes of SQLite may begin anywhere. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer)
  if (!littleEndian) copy.swap32()
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4)
}
