/** Loudness meter for audio of one channel, following ITU-R BS.1770-4. */
export interface LoudnessMeter {
  add(samples: Float32Array): void
  /** Returns gated LUFS over all of it; null for silence. Audio shorter than one block is measured as a whole. */
  loudness(): number | null
}

interface Biquad {
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly a1: number
  readonly a2: number
}

/** Builds the two K-weighting filters for a rate in hertz: the constants give the standard's own coefficients at 48 kHz. */
function kWeighting(rate: number): readonly [Biquad, Biquad] {
  const shelf = { f: 1681.974450955533, gain: 3.999843853973347, q: 0.7071752369554196 }
  const k = Math.tan((Math.PI * shelf.f) / rate)
  const high = 10 ** (shelf.gain / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / shelf.q + k * k
  const first = {
    b0: (high + (band * k) / shelf.q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / shelf.q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / shelf.q + k * k) / a0,
  }
  const pass = { f: 38.13547087602444, q: 0.5003270373238773 }
  const p = Math.tan((Math.PI * pass.f) / rate)
  const c0 = 1 + p / pass.q + p * p
  const second = {
    b0: 1,
    b1: -2,
    b2: 1,
    a1: (2 * (p * p - 1)) / c0,
    a2: (1 - p / pass.q + p * p) / c0,
  }
  return [first, second]
}

/** Blocks of 400 ms in steps of 100 ms; those below -70 LUFS, or 10 below the mean of the rest, do not count. */
const stepSeconds = 0.1
const stepsPerBlock = 4
const absoluteGate = -70
const relativeGate = -10

const lufsOf = (power: number): number => -0.691 + 10 * Math.log10(power)

/** Creates a meter for one rate in hertz. */
export function createLoudnessMeter(rate: number): LoudnessMeter {
  const filters = kWeighting(rate).map((filter) => ({ filter, z1: 0, z2: 0 }))
  const perStep = Math.max(1, Math.round(rate * stepSeconds))
  const steps: number[] = []
  let sum = 0
  let inStep = 0
  let total = 0
  let count = 0

  return {
    add(samples) {
      for (let sample of samples) {
        for (const state of filters) {
          const { b0, b1, b2, a1, a2 } = state.filter
          const out = b0 * sample + state.z1
          state.z1 = b1 * sample - a1 * out + state.z2
          state.z2 = b2 * sample - a2 * out
          sample = out
        }
        sum += sample * sample
        total += sample * sample
        count += 1
        if (++inStep < perStep) continue
        steps.push(sum / perStep)
        sum = 0
        inStep = 0
      }
    },
    loudness() {
      const blocks: number[] = []
      for (let at = 0; at + stepsPerBlock <= steps.length; at++) {
        const block = steps.slice(at, at + stepsPerBlock)
        blocks.push(block.reduce((all, each) => all + each, 0) / stepsPerBlock)
      }
      if (blocks.length === 0) return total > 0 ? lufsOf(total / Math.max(1, count)) : null
      const audible = blocks.filter((power) => power > 0 && lufsOf(power) > absoluteGate)
      if (audible.length === 0) return null
      const gate = lufsOf(mean(audible)) + relativeGate
      return lufsOf(mean(audible.filter((power) => lufsOf(power) > gate)))
    },
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((all, each) => all + each, 0) / values.length
