import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import * as ort from 'onnxruntime-web'
import type { Run } from '../content.ts'
import type { Box } from '../geometry.ts'
import { splitAtGutters } from './gaps.ts'
import { type Quad, smallestQuad } from './quad.ts'
import { charactersOf, recognizeLines, floatsOf, planes } from './recognize.ts'
import { steadySizes } from './sizes.ts'

/** Loaded OCR models. Reads one page at a time, because the models share one WebAssembly memory. */
export interface TextReader {
  /** Reads the Chinese and English text lines in an image; `step` is awaited between units of work. */
  read(page: Canvas, step: () => Promise<void>): Promise<Run[]>
}

/** Minimum mean probability of a line's characters; below it, the line is treated as an ornament. */
const minConfidence = 0.5

function boxOf({ x, y, width, height, angle }: Quad): Box {
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  const across = (width * cos + height * sin) / 2
  // A tilted line retains its height: otherwise it would overlap its neighbors in the layout.
  const down = Math.abs(angle) < 0.2 ? height / 2 : (width * sin + height * cos) / 2
  return [x - across, y - down, x + across, y + down]
}

/**
 * Loads PP-OCRv4 (`detection.onnx`, `recognition.onnx`, `characters.txt`) from its folder. Throws read errors.
 */
export async function loadTextReader(folder: string): Promise<TextReader> {
  ort.env.wasm.numThreads = 1
  const session = async (file: string): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(await readFile(join(folder, file)), {
      executionProviders: ['wasm'],
    })
  const characters = charactersOf(await readFile(join(folder, 'characters.txt'), 'utf8'))
  const detection = await session('detection.onnx')
  const recognition = await session('recognition.onnx')

  return {
    async read(page, step) {
      const quads = splitAtGutters(page, await detectLines(detection, page))
      const lines = await recognizeLines(recognition, characters, page, quads, step)
      const words = lines.filter(
        ({ text, confidence }) => text.trim() !== '' && confidence >= minConfidence,
      )
      const sizes = steadySizes(words.map(({ quad }) => quad))
      return words.map(({ quad, text }, i) => ({
        text: text.trim(),
        box: boxOf(quad),
        size: sizes[i] ?? 0,
        bold: false,
        spaceBefore: true,
      }))
    },
  }
}

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
async function detectLines(session: ort.InferenceSession, page: Canvas): Promise<Quad[]> {
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

/** Minimum probability of a text pixel, and minimum mean probability of a text region. */
const pixelThreshold = 0.3
const regionThreshold = 0.6

/** The map shows text smaller than it is: regions grow by this factor times area divided by perimeter. */
const unclipRatio = 1.6

/** Minimum side length in map pixels; smaller regions are noise. */
const minSide = 3

interface Region {
  /** Both ends of each row, which are enough to compute the hull. */
  readonly edges: (readonly [x: number, y: number])[]
  readonly mean: number
}

/** Yields the connected components (four directions) of pixels above the threshold. */
function* components(map: Float32Array, width: number, height: number): Generator<Region> {
  const seen = new Uint8Array(map.length)
  const stack: number[] = []
  for (let seed = 0; seed < map.length; seed++) {
    if (seen[seed] === 1 || (map[seed] ?? 0) <= pixelThreshold) continue
    const rows = new Map<number, [left: number, right: number]>()
    let sum = 0
    let count = 0
    seen[seed] = 1
    stack.push(seed)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      const y = (at - x) / width
      sum += map[at] ?? 0
      count++
      const row = rows.get(y)
      if (!row) rows.set(y, [x, x])
      else if (x < row[0]) row[0] = x
      else if (x > row[1]) row[1] = x
      const next = [
        x > 0 ? at - 1 : -1,
        x < width - 1 ? at + 1 : -1,
        y > 0 ? at - width : -1,
        y < height - 1 ? at + width : -1,
      ]
      for (const neighbour of next) {
        if (neighbour < 0 || seen[neighbour] === 1) continue
        if ((map[neighbour] ?? 0) <= pixelThreshold) continue
        seen[neighbour] = 1
        stack.push(neighbour)
      }
    }
    const edges = [...rows].flatMap(([y, [left, right]]) => [
      [left, y] as const,
      [right + 1, y] as const,
      [left, y + 1] as const,
      [right + 1, y + 1] as const,
    ])
    yield { edges, mean: sum / count }
  }
}

/** Finds text lines in a probability map (differentiable binarization), in map pixels. */
function textQuads(map: Float32Array, width: number, height: number): Quad[] {
  const quads: Quad[] = []
  for (const { edges, mean } of components(map, width, height)) {
    if (mean < regionThreshold) continue
    const quad = smallestQuad(edges)
    if (Math.min(quad.width, quad.height) < minSide) continue
    const grow = (quad.width * quad.height * unclipRatio) / (2 * (quad.width + quad.height))
    quads.push({ ...quad, width: quad.width + 2 * grow, height: quad.height + 2 * grow })
  }
  return quads
}
