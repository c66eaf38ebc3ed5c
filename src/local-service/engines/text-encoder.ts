import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { unit } from './text-vectors.ts'
import { windowsOf } from './text-windows.ts'

/** Number of dimensions of an encoder vector. */
export const encoderDimensions = 512

/** Maximum tokens the encoder reads of one text; it ignores the rest. */
const maxTokens = 128

/** Universal Sentence Encoder: converts English sentences to unit vectors of 512 numbers. */
export interface Encoder {
  /** Splits the text into windows that fit the encoder; none for white space. */
  windows(text: string): readonly string[]
  /** Computes the vectors of windows together: in batches of 8 to 16, each costs a third of a single one. */
  encode(windows: readonly string[]): Promise<readonly Float32Array<ArrayBuffer>[]>
}

/**
 * Used part of @energetic-ai/core (TensorFlow.js), whose own types depend on packages that are not installed.
 */
interface Core {
  setWasmPaths(folder: string): void
  ready(): Promise<void>
  loadGraphModel(source: unknown): Promise<unknown>
  readonly io: { fromMemory(artifacts: object): unknown }
}

interface Model {
  readonly tokenizer: { encode(text: string): readonly number[] }
  embed(texts: string[]): Promise<number[][]>
}

interface Embeddings {
  initModel(source: () => Promise<object>): Promise<Model>
}

interface ModelFile {
  readonly modelTopology: object
  readonly format?: string
  readonly weightsManifest: readonly {
    readonly paths: readonly string[]
    readonly weights: readonly object[]
  }[]
}

const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))

async function readWeights(folder: string, paths: readonly string[]): Promise<ArrayBuffer> {
  const parts = await Promise.all(paths.map((path) => readFile(join(folder, path))))
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes.buffer
}

/**
 * Loads the encoder from a folder with `model.json`, `vocab.json` and the weights; nothing is downloaded. Throws if a
 * file is missing or damaged. Loads once per thread, because the underlying engine (TensorFlow.js) is shared.
 */
export async function loadEncoder(folder: string): Promise<Encoder> {
  const [vocabulary, file] = await Promise.all([
    json(join(folder, 'vocab.json')),
    json(join(folder, 'model.json')) as Promise<ModelFile>,
  ])
  const { modelTopology, format, weightsManifest } = file
  const weightData = await readWeights(
    folder,
    weightsManifest.flatMap((group) => group.paths),
  )
  const weightSpecs = weightsManifest.flatMap((group) => group.weights)
  // Required here instead of imported above: n-grams do not need it, and CommonJS modules stay unchanged in a
  // bundle.
  const require = createRequire(import.meta.url)
  const core = require('@energetic-ai/core') as Core
  const { initModel } = require('@energetic-ai/embeddings') as Embeddings
  startWasm(core, dirname(require.resolve('@energetic-ai/core')) + sep)
  await core.ready()
  const artifacts = { modelTopology, weightSpecs, weightData, ...(format && { format }) }
  const model = await initModel(async () => ({
    vocabulary,
    model: await core.loadGraphModel(core.io.fromMemory(artifacts)),
  }))

  return {
    windows: (text) =>
      windowsOf(text, (window) => model.tokenizer.encode(window).length <= maxTokens),
    async encode(windows) {
      if (windows.length === 0) return []
      const rows = await model.embed([...windows])
      return rows.map((row) => unit(Float32Array.from(row)))
    },
  }
}

/**
 * Sets the WASM folder, which is possible only before the first model is loaded; later attempts find it already set.
 */
function startWasm(core: Core, folder: string): void {
  try {
    core.setWasmPaths(folder)
  } catch (error) {
    if (!String(error).includes('already initialized')) throw error
  }
}
