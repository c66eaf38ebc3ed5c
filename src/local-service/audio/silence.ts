/** Energy is measured over frames of this length. */
const frameSeconds = 0.03

/** Far below the noise of any microphone, yet the model still recognizes speech attenuated to this level. */
const floorDecibels = -80

/**
 * Whether even the loudest 30 ms do not rise above -80 dB of full scale, so that there is nothing to transcribe.
 * Audio without speech (noise, tones, knocks) is left to the model, which returns at once.
 */
export function isSilent(samples: Float32Array, rate: number): boolean {
  const size = Math.max(1, Math.round(rate * frameSeconds))
  const floor = 10 ** (floorDecibels / 10)
  for (let start = 0; start < samples.length; start += size) {
    const part = samples.subarray(start, start + size)
    let sum = 0
    for (const value of part) sum += value * value
    if (sum / part.length > floor) return false
  }
  return true
}
