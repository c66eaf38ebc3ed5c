import { crc32, deflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'

/** Colors of a palette PNG. */
const paletteSize = 256
/** Colors that are closer than this (squared distance in RGB) share an entry. */
const sameColor = 20

/** Rewrites a screenshot as a PNG with a palette, about a third of its size; interfaces have few colors. */
export async function smallPng(png: Uint8Array): Promise<Buffer> {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)

  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette: number[] = []
  for (const [color] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    if (palette.length === paletteSize) break
    if (palette.every((other) => distance(color, other) > sameColor)) palette.push(color)
  }
  const indexes = new Map([...counts.keys()].map((color) => [color, nearest(color, palette)]))

  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = indexes.get(pixels[y * width + x] ?? 0) ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Red, green and blue of a pixel of image data, which is RGBA in little-endian order. */
const channels = (pixel: number): readonly number[] => [
  pixel & 255,
  (pixel >> 8) & 255,
  (pixel >> 16) & 255,
]

function distance(a: number, b: number): number {
  const other = channels(b)
  return channels(a).reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0)
}

function nearest(color: number, palette: readonly number[]): number {
  let best = 0
  let minDistance = Infinity
  for (const [index, other] of palette.entries()) {
    const far = distance(color, other)
    if (far < minDistance) [best, minDistance] = [index, far]
  }
  return best
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
