/** Zero crossings of the kernel on each side; more is sharper and slower. */
const crossings = 24

/** The passband ends this far below half of the lower rate, so that the filter's slope ends at it. */
const rolloff = 0.94

/** Kaiser window shape: about 80 dB of attenuation. */
const beta = 8

/**
 * Maximum number of positions between two input samples with precomputed taps, enough for every common rate; for unusual rates
 * the taps are interpolated, since up to 16,000 sets would be needed otherwise.
 */
const maxPhases = 640

/** Modified Bessel function of the first kind, order 0. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** One set of taps for each of `count` positions between two input samples, and for the position of the second of them. */
function phases(count: number, cutoff: number, half: number): Float64Array[] {
  const scale = bessel(beta)
  return Array.from({ length: count + 1 }, (_, phase) => {
    const taps = new Float64Array(2 * half)
    let sum = 0
    for (let i = 0; i < taps.length; i++) {
      const distance = i - half + 1 - phase / count
      const inside = 1 - (distance / half) ** 2
      const window = inside > 0 ? bessel(beta * Math.sqrt(inside)) / scale : 0
      const tap = cutoff * sinc(cutoff * distance) * window
      taps[i] = tap
      sum += tap
    }
    // Each phase passes a constant unchanged; without this, phases differ slightly and cause an audible hum.
    return taps.map((tap) => tap / sum)
  })
}

/** Sum of taps times samples, which start at `first`; only taps from `begin` to `end` overlap samples. */
function dot(
  taps: Float64Array,
  samples: Float32Array,
  first: number,
  begin: number,
  end: number,
): number {
  let sum = 0
  for (let i = begin; i < end; i++) sum += (taps[i] ?? 0) * (samples[first + i] ?? 0)
  return sum
}

/** Output samples between two yields: a few milliseconds of work. */
const sliceSamples = 8192

/** Like {@link resample}, but yields between slices if other requests wait for the thread. */
export async function resampleWithRests(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
  rest: () => Promise<void> | undefined,
): Promise<Float32Array<ArrayBuffer>> {
  const work = slices(samples, from, to)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await rest()
  }
}

/**
 * Changes the sample rate of one channel with a Kaiser-windowed sinc: frequencies above half of the lower rate are
 * removed (about 80 dB) instead of aliasing into speech. Rates in Hz, whole numbers.
 */
export function resample(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
): Float32Array<ArrayBuffer> {
  const work = slices(samples, from, to)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

function* slices(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
): Generator<undefined, Float32Array<ArrayBuffer>> {
  if (from === to) return samples
  const common = gcd(from, to)
  const up = to / common
  const down = from / common
  const cutoff = Math.min(1, to / from) * rolloff
  const half = Math.ceil(crossings / cutoff)
  const count = Math.min(up, maxPhases)
  const filters = phases(count, cutoff, half)
  const output = new Float32Array(Math.floor((samples.length * to) / from))
  for (let n = 0; n < output.length; n++) {
    if (n % sliceSamples === sliceSamples - 1) yield
    const position = n * down
    const centre = Math.floor(position / up)
    const phase = ((position % up) / up) * count
    const index = count === up ? position % up : Math.floor(phase)
    const [taps, later] = [filters[index], filters[index + 1]]
    if (!taps || !later) continue
    const first = centre - half + 1
    const begin = Math.max(0, -first)
    const end = Math.min(taps.length, samples.length - first)
    const part = count === up ? 0 : phase - index
    const sum = dot(taps, samples, first, begin, end)
    output[n] = part === 0 ? sum : sum + part * (dot(later, samples, first, begin, end) - sum)
  }
  return output
}
