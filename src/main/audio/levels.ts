/** Level of a channel: 0 to 1; `zero` if every sample is exactly 0. */
export interface Level {
  readonly peak: number
  readonly rms: number
  readonly zero: boolean
}

/** Returns the level of each channel over interleaved samples. */
export function levelsOf(samples: Int16Array, channels: number): Level[] {
  const frames = Math.floor(samples.length / channels)
  return Array.from({ length: channels }, (_, channel) => {
    let peak = 0
    let squares = 0
    for (let i = channel; i < frames * channels; i += channels) {
      const value = Math.abs(samples[i] ?? 0)
      if (value > peak) peak = value
      squares += value * value
    }
    const rms = frames === 0 ? 0 : Math.sqrt(squares / frames) / 32_768
    return { peak: peak / 32_768, rms, zero: peak === 0 }
  })
}
