import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** WASM module of the resampler: memory and functions. Numbers are addresses in that memory, rates in Hz, or error codes. */
export interface Speex {
  floats(): Float32Array<ArrayBuffer>
  words(): Uint32Array<ArrayBuffer>
  allocate(bytes: number): number
  free(address: number): void
  init(channels: number, from: number, to: number, quality: number, error: number): number
  skipZeros(state: number): number
  inputLatency(state: number): number
  process(
    state: number,
    channel: number,
    input: number,
    inputLength: number,
    output: number,
    outputLength: number,
  ): number
  destroy(state: number): void
}

/** Used exports of the package under its names; it has no types. */
interface Exports {
  readonly HEAPF32: Float32Array<ArrayBuffer>
  readonly HEAPU32: Uint32Array<ArrayBuffer>
  readonly _malloc: Speex['allocate']
  readonly _free: Speex['free']
  readonly _speex_resampler_init: Speex['init']
  readonly _speex_resampler_skip_zeros: Speex['skipZeros']
  readonly _speex_resampler_get_input_latency: Speex['inputLatency']
  readonly _speex_resampler_process_float: Speex['process']
  readonly _speex_resampler_destroy: Speex['destroy']
}

/** Loads a new instance of the WASM module; its WASM file is next to its script. */
export async function loadSpeex(): Promise<Speex> {
  const path = createRequire(import.meta.url).resolve('@echogarden/speex-resampler-wasm/simd')
  const { default: create } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    readonly default: () => Promise<Exports>
  }
  const module = await create()
  const {
    _malloc: allocate,
    _free: free,
    _speex_resampler_init: init,
    _speex_resampler_skip_zeros: skipZeros,
    _speex_resampler_get_input_latency: inputLatency,
    _speex_resampler_process_float: process,
    _speex_resampler_destroy: destroy,
  } = module
  return {
    // Read on each call: memory that grew has new views.
    floats: () => module.HEAPF32,
    words: () => module.HEAPU32,
    allocate,
    free,
    init,
    skipZeros,
    inputLatency,
    process,
    destroy,
  }
}
