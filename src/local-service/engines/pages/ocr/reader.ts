import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Canvas } from '@napi-rs/canvas'
import * as ort from 'onnxruntime-web'
import type { Run } from '../content.ts'
import type { Box } from '../geometry.ts'
import { detectLines } from './detect.ts'
import { splitAtGutters } from './gaps.ts'
import type { Quad } from './quad.ts'
import { charactersOf, recognizeLines } from './recognize.ts'
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
