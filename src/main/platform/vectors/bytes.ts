/** Whether the system is little-endian, like all supported ones; otherwise bytes are swapped. */
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Returns the stored bytes of a vector: floats of its own width, little-endian. They may share the vector's memory. */
export function bytesOfVector(vector: Float32Array | Float64Array): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  if (littleEndian) return bytes
  return vector instanceof Float32Array ? Buffer.from(bytes).swap32() : Buffer.from(bytes).swap64()
}

/** Whether 32-bit floats represent each number exactly. */
export const isSingle = (vector: Float32Array | Float64Array): boolean =>
  vector instanceof Float32Array || vector.every((number) => Math.fround(number) === number)

/** Returns the shortest lossless bytes of a vector: 32-bit floats if they represent it exactly, otherwise 64-bit ones. */
export const exactBytes = (vector: Float32Array | Float64Array): Buffer =>
  bytesOfVector(isSingle(vector) ? Float32Array.from(vector) : vector)

/** Returns a vector of this many numbers from {@link exactBytes}; undefined for bytes of another length. */
export function exactVector(bytes: Uint8Array, dimensions: number): Float64Array | undefined {
  if (bytes.byteLength === dimensions * 4) return Float64Array.from(vectorOfBytes(bytes))
  if (bytes.byteLength !== dimensions * 8) return undefined
  const copy = Buffer.from(new Uint8Array(bytes).buffer)
  if (!littleEndian) copy.swap64()
  return new Float64Array(copy.buffer, copy.byteOffset, dimensions)
}

/** Returns a vector from its 32-bit floats; always a copy, because SQLite buffers may be unaligned. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const copy = Buffer.from(new Uint8Array(bytes).buffer)
  if (!littleEndian) copy.swap32()
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4)
}
