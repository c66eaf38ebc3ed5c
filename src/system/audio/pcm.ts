/** Converts samples from -1 to 1 to 16-bit samples; louder ones are clipped, NaN becomes silence. */
export function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length)
  putPcm(samples, pcm, 0, 1)
  return pcm
}

/**
 * Writes the same to every `step`th position of `pcm` from `first` on. 16-bit audio that was divided by 32,768 is restored
 * exactly.
 */
export function putPcm(samples: Float32Array, pcm: Int16Array, first: number, step: number): void {
  for (let i = 0, at = first; i < samples.length; i++, at += step) {
    const scaled = (samples[i] ?? 0) * 32_768
    // Rounding with floor takes a quarter of the time of Math.round; NaN is stored as 0.
    pcm[at] = scaled >= 32_767 ? 32_767 : scaled <= -32_768 ? -32_768 : Math.floor(scaled + 0.5)
  }
}

/** Returns one channel of interleaved 16-bit frames, or the mean of all (`mix`), from -1 to 1. */
export function channelOf(
  frames: Int16Array,
  channels: number,
  channel: number | 'mix',
): Float32Array<ArrayBuffer> {
  const count = Math.floor(frames.length / channels)
  const samples = new Float32Array(count)
  if (channel === 'mix') {
    for (let i = 0, at = 0; i < count; i++) {
      let sum = 0
      for (let c = 0; c < channels; c++) sum += frames[at++] ?? 0
      samples[i] = sum / channels / 32_768
    }
  } else {
    for (let i = 0; i < count; i++) samples[i] = (frames[i * channels + channel] ?? 0) / 32_768
  }
  return samples
}

/** Concatenates blocks of audio. */
export function joined(...chunks: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const full = chunks.filter((chunk) => chunk.length > 0)
  const [only] = full
  if (full.length <= 1) return only ?? new Float32Array(0)
  const whole = new Float32Array(full.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of full) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/**
 * Frees the memory of unused samples immediately: left to garbage collection, each thread accumulates 60 MB of them before it
 * frees any.
 */
export function release(
  ...used: readonly (
    | Float32Array<ArrayBuffer>
    | Int16Array<ArrayBuffer>
    | Uint8Array<ArrayBuffer>
  )[]
): void {
  for (const { buffer } of used) if (!buffer.detached) buffer.transfer(0)
}

/** Concatenates blocks of audio and frees the memory of the blocks. */
export function gathered(chunks: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const whole = joined(...chunks)
  release(...chunks.filter((chunk) => chunk !== whole))
  return whole
}
