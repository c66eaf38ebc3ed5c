/** Decoded audio: one array per channel, all of the same length, values -1 to 1. */
export interface AudioData {
  readonly rate: number
  readonly channels: readonly Float32Array<ArrayBuffer>[]
}

/** An audio file that cannot be read: damaged, empty, or in an unsupported format. The message says which. */
export class AudioError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SoundError'
  }
}

/** Audio longer than the limit, which is in seconds. */
export class TooLongError extends Error {
  constructor(maxSeconds: number) {
    super(`the audio is longer than ${maxSeconds} seconds`)
    this.name = 'TooLongError'
  }
}

/** Mixes all channels into one by averaging. */
export function downmix(audio: AudioData): Float32Array<ArrayBuffer> {
  const [first, ...others] = audio.channels
  if (!first) return new Float32Array(0)
  if (others.length === 0) return first
  const mono = first.slice()
  for (const channel of others)
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] ?? 0) + (channel[i] ?? 0)
  for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] ?? 0) / audio.channels.length
  return mono
}
