import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { joined, release } from './pcm.ts'
import { loadPolyphase, type Polyphase } from './polyphase.ts'

/** Changes the sample rate of one channel. Samples arrive in blocks of any size; the sizes do not affect the output. */
export interface Resampler {
  /** Accepts samples (-1 to 1) and returns those that are ready; the caller owns them. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Returns the rest. The whole output has round(taken * to / from) samples, and sample n is at n / to seconds. */
  end(): Float32Array<ArrayBuffer>
  free(): void
}

/** Creates resamplers; rates in whole Hz. */
export type Resampling = (from: number, to: number) => Resampler

/** Quality of Speex from 0 to 10: everything above half the new rate is 80 dB down, as service-notes 17.6 advise for speech. */
const quality = 5

/** Number of samples passed to the module at once. */
const block = 8192

/**
 * Loads the resamplers (WASM with SIMD) once; the resamplers of one load share its memory and may not outlive it. Table filters
 * take a quarter of Speex's time at 44.1 kHz and half of it at 48; Speex handles the rates whose table would be too large.
 */
export async function loadResampling(): Promise<Resampling> {
  const [polyphase, speex] = await Promise.all([loadPolyphase(), loadSpeex()])
  return (from, to) => {
    if (from === to) return unchanged
    return exact(begin(polyphase, from, to) ?? stageOf(speex, from, to), to / from)
  }
}

/** Converts a whole channel to another rate. */
export function resample(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
  resampling: Resampling,
): Float32Array<ArrayBuffer> {
  const resampler = resampling(from, to)
  try {
    return joined(resampler.push(samples), resampler.end())
  } finally {
    resampler.free()
  }
}

/** One channel during rate conversion. */
interface Chain {
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Input samples that must follow until all of the audio is output. */
  readonly latency: number
  free(): void
}

const unchanged: Resampler = {
  push: (samples) => samples.slice(),
  end: () => new Float32Array(0),
  free: () => {},
}

function exact(chain: Chain, ratio: number): Resampler {
  let taken = 0
  let given = 0
  // A resampler may be a sample ahead of the requested total.
  const trimToLength = (samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
    const fitting = samples.subarray(0, Math.max(0, Math.round(taken * ratio) - given))
    given += fitting.length
    return fitting
  }
  let early: Float32Array<ArrayBuffer> = new Float32Array(0)
  return {
    push(samples) {
      taken += samples.length
      const more = chain.push(samples)
      const available = joined(early, more)
      if (available !== more) release(more)
      const ready = trimToLength(available)
      early = available.slice(ready.length)
      return ready
    },
    end() {
      const tail = chain.push(new Float32Array(chain.latency))
      return trimToLength(joined(early, tail))
    },
    free: chain.free,
  }
}

function begin(polyphase: Polyphase, from: number, to: number): Chain | null {
  const channel = polyphase.begin(from, to)
  return channel && { ...channel, free: () => {} }
}

function stageOf(speex: Speex, from: number, to: number): Chain {
  const room = Math.ceil((block * to) / from) + 16
  const lengths = speex.allocate(8)
  const input = speex.allocate(block * 4)
  const output = speex.allocate(room * 4)
  const state = speex.init(1, from, to, quality, lengths)
  if (state === 0 || input === 0 || output === 0)
    throw new Error(`No resampler from ${from} to ${to} Hz`)
  // Then the first output sample corresponds to the first input sample.
  speex.skipZeros(state)

  /** Processes one block; the module may consume less than offered if the output buffer is too small. */
  function pass(samples: Float32Array): { taken: number; resampled: Float32Array<ArrayBuffer> } {
    speex.floats().set(samples, input / 4)
    speex.words()[lengths / 4] = samples.length
    speex.words()[lengths / 4 + 1] = room
    speex.process(state, 0, input, lengths, output, lengths + 4)
    const [taken = 0, given = 0] = speex.words().subarray(lengths / 4, lengths / 4 + 2)
    if (taken === 0 && given === 0) throw new Error('The resampler makes no progress')
    return { taken, resampled: speex.floats().slice(output / 4, output / 4 + given) }
  }

  return {
    push(samples) {
      const chunks: Float32Array<ArrayBuffer>[] = []
      for (let at = 0; at < samples.length;) {
        const { taken, resampled } = pass(samples.subarray(at, at + block))
        chunks.push(resampled)
        at += taken
      }
      return joined(...chunks)
    },
    latency: speex.inputLatency(state) + 8,
    free() {
      speex.destroy(state)
      for (const address of [lengths, input, output]) speex.free(address)
    },
  }
}

/** WASM module of the resampler: memory and functions. Numbers are addresses in that memory, rates in Hz, or error codes. */
interface Speex {
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
async function loadSpeex(): Promise<Speex> {
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
