/** Sides of an image as displayed. */
export type Side = 'top' | 'bottom' | 'left' | 'right'

/** Displayed sides of the first stored row and column, by Exif orientation 1 to 8 (JEITA CP-3451, 4.6.4). */
export const seenSides: readonly (readonly [row: Side, column: Side])[] = [
  ['top', 'left'],
  ['top', 'right'],
  ['bottom', 'right'],
  ['bottom', 'left'],
  ['left', 'top'],
  ['right', 'top'],
  ['right', 'bottom'],
  ['left', 'bottom'],
]

/** A JPEG with an Exif segment that contains its orientation; `II` is little-endian, `MM` big-endian. */
export function withOrientation(jpeg: Uint8Array, orientation: number, order: 'II' | 'MM'): Buffer {
  const exif = Buffer.alloc(40)
  const short = (value: number, at: number): number =>
    order === 'II' ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at)
  exif.writeUInt16BE(0xffe1, 0)
  exif.writeUInt16BE(38, 2)
  exif.write(`Exif\0\0${order}`, 4, 'latin1')
  short(42, 12)
  if (order === 'II') exif.writeUInt32LE(8, 14)
  else exif.writeUInt32BE(8, 14)
  short(1, 18)
  short(0x0112, 20)
  short(3, 22)
  if (order === 'II') exif.writeUInt32LE(1, 24)
  else exif.writeUInt32BE(1, 24)
  short(orientation, 28)
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}
