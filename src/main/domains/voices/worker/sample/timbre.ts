import FFT from 'fft.js'
import { transcriptionRate } from '../../../../../shared/model/meeting.ts'

/** Samples between two frames at 16 kHz: 10 ms. */
export const hopSamples = 160
/** Number of cepstral coefficients per frame: how the vocal tract shapes the spectrum, without the level. */
export const coefficients = 12

const windowSamples = 512
const bands = 26
const mel = (hz: number): number => 2595 * Math.log10(1 + hz / 700)
const hertz = (m: number): number => 700 * (10 ** (m / 2595) - 1)

/** Edges of the bands as bins of the spectrum. */
const edges = Array.from({ length: bands + 2 }, (_, i) => {
  const [low, high] = [mel(80), mel(7000)]
  return (hertz(low + ((high - low) * i) / (bands + 1)) * windowSamples) / transcriptionRate
})

/**
 * Returns mel-frequency cepstral coefficients 1 to 12 of these frames; frame `n` is centered at `n * hopSamples`. Samples from -1
 * to 1 at 16 kHz.
 */
export function timbreAt(
  samples: Float32Array,
  positions: readonly number[],
): readonly Float64Array[] {
  const fourier = new FFT(windowSamples)
  const window = Float64Array.from(
    { length: windowSamples },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / windowSamples),
  )
  const frame = new Float64Array(windowSamples)
  // Real and imaginary parts in turn.
  const spectrum = new Float64Array(2 * windowSamples)
  const spectra = positions.map((position) => {
    const from = position * hopSamples - windowSamples / 2
    for (let i = 0; i < windowSamples; i++) {
      const at = from + i
      // High frequencies are faint in speech: pre-emphasis raises them, as human hearing does.
      const lifted = (samples[at] ?? 0) - 0.97 * (samples[at - 1] ?? 0)
      frame[i] = lifted * (window[i] ?? 0)
    }
    fourier.realTransform(spectrum, frame)
    return bandsOf(spectrum)
  })
  const floor = floorUnder * meanOf(spectra)
  return spectra.map((powers) => cepstrum(powers.map((power) => Math.log(power + floor + 1e-10))))
}

/** Floor below the mean of all bands (25 dB): lower values describe the room and the microphone rather than the voice. */
const floorUnder = 10 ** (-25 / 10)

function meanOf(spectra: readonly (readonly number[])[]): number {
  let sum = 0
  for (const powers of spectra) for (const power of powers) sum += power
  return sum / Math.max(1, spectra.length * bands)
}

function bandsOf(spectrum: Float64Array): number[] {
  return Array.from({ length: bands }, (_, band) => {
    const [low = 0, peak = 0, high = 0] = edges.slice(band, band + 3)
    let sum = 0
    for (let bin = Math.ceil(low); bin < high; bin++) {
      const weight = bin < peak ? (bin - low) / (peak - low) : (high - bin) / (high - peak)
      sum += weight * ((spectrum[2 * bin] ?? 0) ** 2 + (spectrum[2 * bin + 1] ?? 0) ** 2)
    }
    return sum
  })
}

function cepstrum(logs: readonly number[]): Float64Array {
  return Float64Array.from({ length: coefficients }, (_, c) => {
    let sum = 0
    for (const [band, value] of logs.entries())
      sum += value * Math.cos((Math.PI * (c + 1) * (band + 0.5)) / bands)
    return sum * Math.sqrt(2 / bands)
  })
}
