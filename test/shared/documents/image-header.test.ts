import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageHeader } from '../../../src/shared/documents/image-header.ts'

/** 300 × 200 pixels, progressive. */
const frame = [0xff, 0xc2, 0, 17, 8, 0, 200, 1, 44]
const jpeg = (...segments: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from([0xff, 0xd8, ...segments.flat(), ...frame])
/** A segment of 16 bytes with a marker. */
const segment = (marker: number): number[] => [0xff, marker, 0, 16, ...Array<number>(14).fill(7)]
/** An Exif segment that says: rotated by 90°. */
const exif = (order: 'II' | 'MM'): number[] => {
  const number = (value: number, size: number): number[] => {
    const bytes = Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff)
    return order === 'II' ? bytes : bytes.toReversed()
  }
  const tiff = [
    ...Buffer.from(order),
    ...number(42, 2),
    ...number(8, 4),
    ...number(1, 2),
    ...number(0x0112, 2),
    ...number(3, 2),
    ...number(1, 4),
    ...number(6, 2),
    0,
    0,
  ]
  return [0xff, 0xe1, 0, 8 + tiff.length, ...Buffer.from('Exif\0\0'), ...tiff]
}
const size = { type: 'jpeg', width: 300, height: 200, orientation: 1, isIrregular: false }

test('finds the frame of a JPEG after tables, profiles and fill bytes', () => {
  expect(imageHeader(jpeg())).toEqual(size)
  expect(imageHeader(jpeg(segment(0xe0), segment(0xc4), [0xff, 0xff], segment(0xdb)))).toEqual(size)
})

test.each(['II', 'MM'] as const)('reads the orientation in the byte order %s', (order) => {
  expect(imageHeader(jpeg(segment(0xe0), exif(order)))).toEqual({ ...size, orientation: 6 })
})

test('reports markers that decoders skip in different ways', () => {
  expect(imageHeader(jpeg([0xff, 0xd3]))).toEqual({ ...size, isIrregular: true })
})

test.each([
  ['other bytes between two segments', jpeg([0, 0])],
  ['a segment without a length', jpeg([0xff, 0xe0, 0, 1])],
  ['image data before a frame', jpeg([0xff, 0xda, 0, 2])],
  ['endless segments', jpeg(...Array.from({ length: 3000 }, () => segment(0xe2)))],
])('finds nothing in a JPEG with %s', (_, bytes) => {
  expect(imageHeader(bytes)).toBeNull()
})

test('reads a PNG, and never throws for anything that is cut off or damaged', () => {
  const png = Uint8Array.from(
    Buffer.from('89504e470d0a1a0a0000000d494844520000012c000000c8', 'hex'),
  )
  expect(imageHeader(png)).toEqual({ ...size, type: 'png' })
  for (const whole of [png, jpeg(segment(0xe0), exif('II'))])
    for (let end = 0; end < whole.length; end++)
      expect(imageHeader(whole.subarray(0, end))).toBeNull()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (tail) => {
      imageHeader(Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, 40, ...tail]))
    }),
  )
})
