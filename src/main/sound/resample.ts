import { loadSpeex, type Speex } from './speex.ts'

/** Changes the sample rate of one channel. Samples come in whatever pieces; the pieces' sizes change nothing in what comes out. */
export interface Resampler {
  /** Takes samples (-1 to 1) and gives those that are ready; they are the caller's own. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Gives the rest. All that was given is round(taken * to / from) samples long, and sample n lies at n / to seconds. */
  end(): Float32Array<ArrayBuffer>
  free(): void
}

/** Makes resamplers; rates in whole Hz. */
export type Resampling = (from: number, to: number) => Resampler

/** Speex's quality from 0 to 10: what lies above the new rate's half is 80 dB down, as notes 5.10 advise for speech. */
const quality = 5

/** Samples that pass through the module at once. */
const block = 8192

/**
 * Steps on the way between two rates. Speex keeps exact filter tables only for ratios of small numbers and interpolates them for
 * others, which takes four times as long: 44.1 kHz gets there faster over 16/21, 5/7 and 2/3.
 */
const detours: ReadonlyMap<string, readonly number[]> = new Map([['44100 16000', [33_600, 24_000]]])

/** Loads the resampler (speex, wasm with SIMD) once; resamplers of one loading share its memory and may not outlive it. */
export async function loadResampling(): Promise<Resampling> {
  const speex = await loadSpeex()
  return (from, to) => {
    if (from === to) return unchanged
    const rates = [from, ...(detours.get(`${from} ${to}`) ?? []), to]
    return exact(chainOf(speex, rates), to / from)
  }
}

/** A whole number of samples in a row of stages. */
interface Chain {
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Samples of the first rate that must follow until all of the sound came out. */
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
  // A stage may be a sample ahead of what is asked for in the end.
  const most = (samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
    const fitting = samples.subarray(0, Math.max(0, Math.round(taken * ratio) - given))
    given += fitting.length
    return fitting
  }
  let early: Float32Array<ArrayBuffer> = new Float32Array(0)
  return {
    push(samples) {
      taken += samples.length
      const came = joined(early, chain.push(samples))
      const ready = most(came)
      early = came.subarray(ready.length)
      return ready
    },
    end() {
      const tail = chain.push(new Float32Array(chain.latency))
      return most(joined(early, tail))
    },
    free: chain.free,
  }
}

function chainOf(speex: Speex, rates: readonly number[]): Chain {
  const stages = rates.slice(1).map((to, i) => stageOf(speex, rates[i] ?? to, to))
  return {
    push: (samples) =>
      stages.reduce<Float32Array<ArrayBuffer>>(
        (through, stage) => stage.push(through),
        samples.slice(),
      ),
    latency: Math.ceil(stages.reduce((sum, { seconds }) => sum + seconds, 0) * (rates[0] ?? 0)) + 8,
    free: () => {
      for (const stage of stages) stage.free()
    },
  }
}

interface Stage {
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  readonly seconds: number
  free(): void
}

function stageOf(speex: Speex, from: number, to: number): Stage {
  const room = Math.ceil((block * to) / from) + 16
  const lengths = speex.allocate(8)
  const input = speex.allocate(block * 4)
  const output = speex.allocate(room * 4)
  const state = speex.init(1, from, to, quality, lengths)
  if (state === 0 || input === 0 || output === 0)
    throw new Error(`No resampler from ${from} to ${to} Hz`)
  // What comes out first then belongs to the first sample that came in.
  speex.skipZeros(state)

  /** One block in; the module may take less than is offered, when the room for what comes out is too small. */
  function pass(samples: Float32Array): { taken: number; came: Float32Array<ArrayBuffer> } {
    speex.floats().set(samples, input / 4)
    speex.words()[lengths / 4] = samples.length
    speex.words()[lengths / 4 + 1] = room
    speex.process(state, 0, input, lengths, output, lengths + 4)
    const [taken = 0, given = 0] = speex.words().subarray(lengths / 4, lengths / 4 + 2)
    if (taken === 0 && given === 0) throw new Error('The resampler stands still')
    return { taken, came: speex.floats().slice(output / 4, output / 4 + given) }
  }

  return {
    push(samples) {
      const pieces: Float32Array<ArrayBuffer>[] = []
      for (let at = 0; at < samples.length;) {
        const { taken, came } = pass(samples.subarray(at, at + block))
        pieces.push(came)
        at += taken
      }
      return joined(...pieces)
    },
    seconds: speex.inputLatency(state) / from,
    free() {
      speex.destroy(state)
      for (const address of [lengths, input, output]) speex.free(address)
    },
  }
}

/** Pieces of sound as one. */
function joined(...pieces: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const full = pieces.filter((piece) => piece.length > 0)
  const [only] = full
  if (full.length <= 1) return only ?? new Float32Array(0)
  const whole = new Float32Array(full.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of full) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
