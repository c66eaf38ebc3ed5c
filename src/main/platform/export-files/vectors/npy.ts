/**
 * Returns the header of a NumPy file, format 1.0: floats of 4 or 8 bytes, little-endian, in row-major order. The numbers
 * follow it directly; its length is a multiple of 64 bytes.
 */
export function npyHead(rows: number, columns: number, width: 4 | 8 = 4): Uint8Array {
  const dictionary = `{'descr': '<f${width}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const fixed = 10
  const length = Math.ceil((fixed + dictionary.length + 1) / 64) * 64 - fixed
  const head = Buffer.alloc(fixed + length, ' ')
  head.write('\x93NUMPY', 0, 'latin1')
  head.writeUInt8(1, 6)
  head.writeUInt8(0, 7)
  head.writeUInt16LE(length, 8)
  head.write(dictionary, fixed, 'latin1')
  head.write('\n', fixed + length - 1, 'latin1')
  return head
}
