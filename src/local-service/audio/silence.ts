/** Energy is taken over pieces of this length. */
const frameSeconds = 0.03

/** Far below any microphone's own noise, yet the model still hears speech that was turned down to it. */
const floorDecibels = -80

/**
 * True when not even the loudest 30 ms rise above -80 dB of full scale, so that there is nothing to hear.
 * Sounds that are not speech (noise, tones, knocks) are left to the model, which ends at once on them.
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
