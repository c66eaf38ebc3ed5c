import { createFourier } from './fourier.ts'

/**
 * Remaining noise, -20 dB: without any, residues in speech would stand out against silence. Measured at 12 to 20 dB of hiss, hum
 * and fan on a human and two synthetic voices, speech gets 3 to 11 dB closer to the original and keeps its level to 0.4 dB.
 * RNNoise (2018 and 2025) was also tried: it silences pauses further, but removes so much of the voice that at 20 dB the result
 * was farther from the clean audio than the noisy one was.
 */
const minGain = 10 ** (-20 / 20)
/** Weight of the previous frame's estimate (Ephraim and Malah 1984): a lower one leaves musical noise. */
const memory = 0.98
const minPrior = 10 ** (-25 / 10)
/** Speech begins slightly before it is detected, and fades after it. Milliseconds. */
const guard = { before: 60, after: 160 } as const
/** Minimum number of frames for an estimate of the noise. */
const minFrames = 8

/**
 * Removes steady noise with the log-spectral amplitude estimator (Ephraim and Malah 1985), using the noise spectrum where there
 * is no speech. Varying sounds, including other voices and music, remain.
 */
export function denoised(
  audio: Float32Array,
  rate: number,
  speech: readonly (readonly [startMs: number, endMs: number])[],
): Float32Array<ArrayBuffer> {
  const frames = createFrames(audio, rate)
  const noise = noiseOf(frames, rate, speech)
  const out = new Float32Array(audio.length)
  const prior = new Float64Array(frames.bins)
  for (let frame = 0; frame < frames.count; frame++) {
    frames.spectrum(frame)
    for (let bin = 0; bin < frames.bins; bin++) {
      const over = Math.min(1e4, frames.power(bin) / (noise[bin] ?? 1))
      const expected = Math.max(
        minPrior,
        memory * (prior[bin] ?? 0) + (1 - memory) * Math.max(0, over - 1),
      )
      const share = expected / (1 + expected)
      const gain = Math.min(1, share * Math.exp(exponentialIntegral(share * over) / 2))
      prior[bin] = gain * gain * over
      frames.scale(bin, Math.max(minGain, gain))
    }
    frames.addTo(out, frame)
  }
  return out
}

/** Splits the audio into spectra of frames that overlap by three quarters, one at a time. */
function createFrames(audio: Float32Array, rate: number) {
  // 43 ms: as long as a vowel is stationary.
  const size = rate > 30_000 ? 2048 : 1024
  const hop = size / 4
  const fourier = createFourier(size)
  const window = Float64Array.from({ length: size }, (_, i) =>
    Math.sin((Math.PI * (i + 0.5)) / size),
  )
  const [re, im] = [new Float64Array(size), new Float64Array(size)]
  /** Returns the first sample of a frame. */
  const start = (frame: number): number => (frame - 3) * hop
  return {
    size,
    bins: size / 2 + 1,
    count: Math.ceil(audio.length / hop) + 3,
    start,
    spectrum(frame: number): void {
      const from = start(frame)
      for (let i = 0; i < size; i++) re[i] = (audio[from + i] ?? 0) * (window[i] ?? 0)
      im.fill(0)
      fourier.transform(re, im)
    },
    power: (bin: number): number => (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2,
    scale(bin: number, gain: number): void {
      for (const at of bin === 0 || bin === size / 2 ? [bin] : [bin, size - bin]) {
        re[at] = (re[at] ?? 0) * gain
        im[at] = (im[at] ?? 0) * gain
      }
    },
    /** Inverts the spectrum and adds it; the squared windows of four frames sum to 2. */
    addTo(out: Float32Array, frame: number): void {
      for (let i = 0; i < size; i++) im[i] = -(im[i] ?? 0)
      fourier.transform(re, im)
      const from = start(frame)
      for (let i = Math.max(0, -from); i < size && from + i < out.length; i++)
        out[from + i] = (out[from + i] ?? 0) + ((re[i] ?? 0) * (window[i] ?? 0)) / (2 * size)
    },
  }
}

/** Returns the mean noise power of each bin: where there is no speech, or in the quietest tenth if there is speech everywhere. */
function noiseOf(
  frames: ReturnType<typeof createFrames>,
  rate: number,
  speech: readonly (readonly [startMs: number, endMs: number])[],
): Float64Array {
  const whole = Array.from({ length: Math.max(1, frames.count - 6) }, (_, i) => i + 3)
  const ms = (sample: number): number => (sample / rate) * 1000
  const quiet = whole.filter((frame) => {
    const [from, to] = [ms(frames.start(frame)), ms(frames.start(frame) + frames.size)]
    return speech.every(([start, end]) => to < start - guard.before || from > end + guard.after)
  })
  const taken = quiet.length >= minFrames ? quiet : quietest(frames, whole)
  const noise = new Float64Array(frames.bins)
  for (const frame of taken) {
    frames.spectrum(frame)
    for (let bin = 0; bin < noise.length; bin++)
      noise[bin] = (noise[bin] ?? 0) + frames.power(bin) / taken.length
  }
  return noise.map((power) => power + 1e-12)
}

function quietest(
  frames: ReturnType<typeof createFrames>,
  all: readonly number[],
): readonly number[] {
  const loudness = all.map((frame) => {
    frames.spectrum(frame)
    let power = 0
    for (let bin = 0; bin < frames.bins; bin++) power += frames.power(bin)
    return { frame, power }
  })
  return loudness
    .toSorted((a, b) => a.power - b.power)
    .slice(0, Math.max(minFrames, Math.ceil(all.length / 10)))
    .map(({ frame }) => frame)
}

/** Returns the exponential integral E1 of a positive number (Abramowitz and Stegun 5.1.11, 5.1.56). */
function exponentialIntegral(x: number): number {
  const at = Math.max(x, 1e-8)
  if (at >= 1)
    return (
      ((at * at + 2.334733 * at + 0.250621) / (at * at + 3.330657 * at + 1.681534)) *
      (Math.exp(-at) / at)
    )
  let sum = -0.5772156649015329 - Math.log(at)
  let term = 1
  for (let k = 1; k < 20; k++) {
    term *= -at / k
    sum -= term / k
  }
  return sum
}
