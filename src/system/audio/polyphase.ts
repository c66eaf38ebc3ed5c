import { gathered } from './pcm.ts'
import { loadFilterRun, rowFloats, type FilterRun, type WasmMemory } from './filter-run.ts'

/** Converts the sample rate with a table of filters, one row for each position an output can have between two inputs. */
export interface Polyphase {
  /** Starts a channel; null if the table of these rates (whole Hz) would be too large. */
  begin(from: number, to: number): PolyphaseChannel | null
}

/** One channel during rate conversion. */
interface PolyphaseChannel {
  /** Returns the output that is ready so far. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Input samples that must follow until all of the audio is output. */
  readonly latency: number
}

/** Zero crossings of the filter on each side: with the window below it falls from full to zero within 1.2 kHz of 16. */
const crossings = 32

/** Kaiser window: 80 dB between the passband and the stopband. */
const beta = 8

/** Middle of the transition band, as a share of half the lower rate. */
const cutoff = 0.963

/**
 * Number of floats of the largest table, which takes about 40 ms to build: rates with almost no common divisor would need
 * gigabytes.
 */
const maxFloats = 1 << 18

/** Number of samples processed at once. */
const block = 16_384

const pageBytes = 65_536

/** Loads the filter module. Channels share its memory, but only during a call. */
export async function loadPolyphase(): Promise<Polyphase> {
  const { run, memory } = await loadFilterRun()
  const tables = new Map<string, Table>()
  let used = 0

  /** Reserves bytes of the memory permanently for the caller. */
  function allocate(bytes: number): number {
    const start = used
    used += Math.ceil(bytes / 16) * 16
    const missing = used - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    return start
  }
  function tableOf(ratio: Ratio): Table {
    const name = `${ratio.up}/${ratio.down}`
    const known = tables.get(name)
    if (known) return known
    const address = allocate(ratio.up * ratio.taps * 4)
    new Float32Array(memory.buffer, address, ratio.up * ratio.taps).set(filtersOf(ratio))
    const maxOutput = Math.ceil((block * ratio.up) / ratio.down) + 2
    const table = {
      address,
      input: allocate((ratio.taps + block) * 4),
      output: allocate(maxOutput * 4),
    }
    tables.set(name, table)
    return table
  }

  return {
    begin(from, to) {
      const ratio = ratioOf(from, to)
      if (ratio.up * ratio.taps > maxFloats) return null
      return channelOf(ratio, tableOf(ratio), memory, run)
    },
  }
}

/** Rates divided by their greatest common divisor; `taps` input samples make one output sample. */
interface Ratio {
  readonly up: number
  readonly down: number
  readonly taps: number
}

/** Address of a ratio's filters, and space for the samples being processed. */
interface Table {
  readonly address: number
  readonly input: number
  readonly output: number
}

function ratioOf(from: number, to: number): Ratio {
  const common = gcd(from, to)
  const wide = 2 * crossings * Math.max(1, from / to)
  return { up: to / common, down: from / common, taps: Math.ceil(wide / rowFloats) * rowFloats }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

function channelOf(
  { up, down, taps }: Ratio,
  table: Table,
  memory: WasmMemory,
  run: FilterRun,
): PolyphaseChannel {
  // The first output's filter begins in the silence before the audio.
  let tail = new Float32Array(taps / 2 - 1)
  let row = 0

  function pass(samples: Float32Array): Float32Array<ArrayBuffer> {
    const length = tail.length + samples.length
    const input = new Float32Array(memory.buffer, table.input, length)
    input.set(tail)
    input.set(samples, tail.length)
    const room = length - taps
    const count = room < 0 ? 0 : Math.floor(((room + 1) * up - row - 1) / down) + 1
    if (count > 0)
      run(
        table.input,
        table.output,
        count,
        table.address,
        taps * 4,
        row,
        up,
        Math.floor(down / up) * 4,
        down % up,
      )
    const reached = row + count * down
    row = reached % up
    tail = input.slice(Math.floor(reached / up))
    return new Float32Array(memory.buffer, table.output, count).slice()
  }

  return {
    push(samples) {
      const chunks: Float32Array<ArrayBuffer>[] = []
      for (let at = 0; at < samples.length; at += block)
        chunks.push(pass(samples.subarray(at, at + block)))
      return gathered(chunks)
    },
    latency: taps / 2 + 1,
  }
}

/** Builds the filters row by row: a sinc with a Kaiser window around the output position, normalized to preserve a constant. */
function filtersOf({ up, down, taps }: Ratio): Float32Array {
  const filters = new Float32Array(up * taps)
  // In samples of the input, which may have the higher rate.
  const band = cutoff * Math.min(1, up / down)
  const half = taps / 2
  for (let row = 0; row < up; row++) {
    const weights = Array.from({ length: taps }, (_, tap) => {
      const distance = tap - (half - 1) - row / up
      return sinc(band * distance) * kaiser(distance / half)
    })
    const sum = weights.reduce((all, weight) => all + weight, 0)
    for (const [tap, weight] of weights.entries()) filters[row * taps + tap] = weight / sum
  }
  return filters
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const kaiser = (x: number): number => (Math.abs(x) > 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)))

/** Returns the modified Bessel function of order 0, by its series. */
function bessel(x: number): number {
  let sum = 1
  for (let n = 1, term = 1; term > sum * 1e-12; n++) {
    term *= (x / (2 * n)) ** 2
    sum += term
  }
  return sum
}
