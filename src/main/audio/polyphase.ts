import { gathered } from './pcm.ts'
import { loadFilterRun, rowFloats, type FilterRun, type WasmMemory } from './filter-run.ts'

/** Changes the rate of sound by a table of filters, one row for each place that an output can have between two inputs. */
export interface Polyphase {
  /** Starts a channel; null when the table of these rates (whole Hz) would be too large. */
  begin(from: number, to: number): PolyphaseChannel | null
}

/** One channel on its way to the other rate. */
export interface PolyphaseChannel {
  /** What is ready by now. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>
  /** Samples of the first rate that must follow until all of the sound came out. */
  readonly latency: number
}

/** Zero crossings of the filter on each side: with the window below it falls from full to nothing within 1.2 kHz of 16. */
const crossings = 32

/** Kaiser's window: 80 dB between what passes and what does not. */
const beta = 8

/** Middle of the fall, as a share of half the lower rate. */
const cutoff = 0.963

/** Floats of the largest table: rates that have next to nothing in common would need one of gigabytes. */
const maxFloats = 1 << 20

/** Samples that pass at once. */
const block = 16_384

const pageBytes = 65_536

/** Loads the filters' program. Channels share its memory, and only while they are asked. */
export async function loadPolyphase(): Promise<Polyphase> {
  const { run, memory } = await loadFilterRun()
  const tables = new Map<string, Table>()
  let used = 0

  /** Bytes of the memory that stay with whoever asked. */
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

/** Rates without what they have in common; `taps` samples of the input make one of the output. */
interface Ratio {
  readonly up: number
  readonly down: number
  readonly taps: number
}

/** Where a ratio's filters lie, and room for the samples that pass. */
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
  // The first output's filter begins in the silence in front of the sound.
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

/** Row by row: a sinc under Kaiser's window around the place of the output, made to keep a constant as it is. */
function filtersOf({ up, down, taps }: Ratio): Float32Array {
  const filters = new Float32Array(up * taps)
  // In samples of the input, which may be the higher rate.
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

/** The modified Bessel function of order 0, by its series. */
function bessel(x: number): number {
  let sum = 1
  for (let n = 1, term = 1; term > sum * 1e-12; n++) {
    term *= (x / (2 * n)) ** 2
    sum += term
  }
  return sum
}
