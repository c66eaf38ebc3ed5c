import { createCanvas, type Canvas } from '@napi-rs/canvas'
import * as ort from 'onnxruntime-web'
import type { Quad } from './quad.ts'

/** Converts the pixels of a canvas (four bytes each) to normalized values, channel by channel. */
export function planes(
  pixels: Uint8ClampedArray,
  target: Float32Array,
  offset: number,
  place: { readonly width: number; readonly height: number; readonly stride: number },
  scale: readonly (readonly [mean: number, deviation: number])[],
): void {
  const { width, height, stride } = place
  const size = stride * height
  // The models were trained on BGR images.
  const source = [2, 1, 0]
  for (const [plane, [mean, deviation]] of scale.entries()) {
    const channel = source[plane] ?? 0
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const value = (pixels[4 * (y * width + x) + channel] ?? 0) / 255
        target[offset + plane * size + y * stride + x] = (value - mean) / deviation
      }
  }
}

/** Returns the numbers of a model output. Throws if there are none. */
export function floatsOf(tensor: ort.Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('The model returned an output of an unexpected type')
}

interface ReadLine {
  readonly quad: Quad
  readonly text: string
  /** Mean probability of its characters, 0 to 1. */
  readonly confidence: number
}

/** Input height of a line for the model, and bounds of its width. */
const lineHeight = 48
const minWidth = 48
const maxWidth = 3200

/** Maximum total width of the lines in a batch: batching long lines saves nothing and needs much memory. */
const batchWidth = 2400

const training = [
  [0.5, 0.5],
  [0.5, 0.5],
  [0.5, 0.5],
] as const

interface Strip {
  readonly quad: Quad
  readonly width: number
}

/** Vertical text is rotated to horizontal. */
const isUpright = ({ width, height }: Quad): boolean => height < 1.5 * width

function stripOf(quad: Quad): Strip {
  const along = isUpright(quad) ? quad.width : quad.height
  const across = isUpright(quad) ? quad.height : quad.width
  const width = Math.ceil((lineHeight * along) / Math.max(1, across))
  return { quad, width: Math.min(maxWidth, Math.max(minWidth, width)) }
}

/** Returns the pixels of the line alone, rotated to horizontal. */
function cut(page: Canvas, { quad, width }: Strip): Uint8ClampedArray {
  const strip = createCanvas(width, lineHeight)
  const context = strip.getContext('2d')
  const upright = isUpright(quad)
  const along = upright ? quad.width : quad.height
  const across = upright ? quad.height : quad.width
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, lineHeight)
  context.translate(width / 2, lineHeight / 2)
  context.scale(width / along, lineHeight / across)
  context.rotate(-quad.angle - (upright ? 0 : Math.PI / 2))
  context.translate(-quad.x, -quad.y)
  // Draws only the part around the line: the rest of a large page costs time.
  const reach = Math.ceil(Math.hypot(quad.width, quad.height) / 2) + 2
  const left = Math.max(0, Math.floor(quad.x - reach))
  const top = Math.max(0, Math.floor(quad.y - reach))
  const wide = Math.min(page.width, Math.ceil(quad.x + reach)) - left
  const high = Math.min(page.height, Math.ceil(quad.y + reach)) - top
  if (wide > 0 && high > 0) context.drawImage(page, left, top, wide, high, left, top, wide, high)
  return context.getImageData(0, 0, width, lineHeight).data
}

interface Decoded {
  readonly text: string
  readonly confidence: number
}

/** Greedy decoding: the most likely character of each step, without repetitions and blanks. */
function decode(output: Float32Array, steps: number, characters: readonly string[]): Decoded {
  const count = characters.length
  let text = ''
  let last = 0
  let sum = 0
  let letters = 0
  for (let step = 0; step < steps; step++) {
    let best = 0
    let probability = 0
    for (let i = 0; i < count; i++) {
      const value = output[step * count + i] ?? 0
      if (value <= probability) continue
      probability = value
      best = i
    }
    if (best !== 0 && best !== last) {
      text += characters[best] ?? ''
      sum += probability
      letters++
    }
    last = best
  }
  return { text, confidence: letters > 0 ? sum / letters : 0 }
}

/** Returns the characters of the model from its list, blank first and space last. */
export const charactersOf = (list: string): readonly string[] => [
  '',
  ...list.replace(/\r?\n$/, '').split(/\r?\n/),
  ' ',
]

/** Reads the lines of a page in batches of similar width; `step` is awaited before each batch. */
export async function recognizeLines(
  session: ort.InferenceSession,
  characters: readonly string[],
  page: Canvas,
  quads: readonly Quad[],
  step: () => Promise<void>,
): Promise<ReadLine[]> {
  const strips = quads.map(stripOf).toSorted((a, b) => a.width - b.width)
  const found: ReadLine[] = []
  for (let from = 0; from < strips.length;) {
    await step()
    const first = strips[from]?.width ?? minWidth
    const maxStrips = Math.max(1, Math.floor(batchWidth / (1.25 * first)))
    const batch = strips.slice(from, from + maxStrips).filter(({ width }) => width <= 1.25 * first)
    const stride = batch.at(-1)?.width ?? minWidth
    const size = 3 * lineHeight * stride
    const input = new Float32Array(batch.length * size)
    for (const [i, strip] of batch.entries()) {
      const place = { width: strip.width, height: lineHeight, stride }
      planes(cut(page, strip), input, i * size, place, training)
    }
    const shape = [batch.length, 3, lineHeight, stride]
    const run = await session.run({ x: new ort.Tensor('float32', input, shape) })
    const output = Object.values(run)[0]
    const values = floatsOf(output)
    const steps = output?.dims[1] ?? 0
    const length = values.length / batch.length
    for (const [i, { quad }] of batch.entries())
      found.push({ quad, ...decode(values.subarray(i * length), steps, characters) })
    from += batch.length
  }
  return found
}
