import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import * as ort from 'onnxruntime-web'
import type { Quad } from './quad.ts'
import { textQuads } from './regions.ts'
import { floatsOf, planes } from './tensors.ts'

/**
 * Maximum side length of the page for detection, in pixels: small print needs more than the 960 used for photos.
 */
const maxSideLength = 1280

/** Mean and standard deviation of the model's training images, per channel. */
const training = [
  [0.485, 0.229],
  [0.456, 0.224],
  [0.406, 0.225],
] as const

const toStep = (side: number): number => Math.max(32, Math.round(side / 32) * 32)

/** Detects the text lines of a page, in page pixels. */
export async function detectLines(session: ort.InferenceSession, page: Canvas): Promise<Quad[]> {
  const scale = Math.min(1, maxSideLength / Math.max(page.width, page.height))
  const width = toStep(page.width * scale)
  const height = toStep(page.height * scale)
  const small = createCanvas(width, height)
  const context = small.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(page, 0, 0, width, height)
  const input = new Float32Array(3 * width * height)
  const { data } = context.getImageData(0, 0, width, height)
  planes(data, input, 0, { width, height, stride: width }, training)
  const output = await session.run({ x: new ort.Tensor('float32', input, [1, 3, height, width]) })
  const map = floatsOf(Object.values(output)[0])
  const across = page.width / width
  const down = page.height / height
  return textQuads(map, width, height).map((quad) => ({
    ...quad,
    x: quad.x * across,
    y: quad.y * down,
    width: quad.width * across,
    height: quad.height * down,
  }))
}
