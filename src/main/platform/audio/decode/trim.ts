import { gathered } from '../../../../system/audio/pcm.ts'
import type { Decoded } from './decoded.ts'

/** Samples per channel that an encoder added around the audio. */
export interface Added {
  readonly before: number
  readonly after: number
}

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/**
 * Removes the samples that an encoder added. The end is only known once it is reached: until then its samples are held back, and
 * if the file turns out to be incomplete (`isWhole`), they are audio.
 */
export function trimmed(
  next: () => Promise<Decoded | null>,
  added: Added,
  isWhole: () => boolean,
): () => Promise<Decoded | null> {
  let before = added.before
  let held: DecodedAudio | null = null

  /** Returns the samples that are certainly audio. */
  function pass(audio: DecodedAudio): Decoded {
    const begins = from(audio, Math.min(before, lengthOf(audio)))
    before -= lengthOf(audio) - lengthOf(begins)
    if (added.after === 0) return begins
    const whole = held ? joined(held, begins) : begins
    const ready = Math.max(0, lengthOf(whole) - added.after)
    held = from(whole, ready)
    return ready === 0 ? { type: 'nothing' } : to(whole, ready)
  }

  function release(): DecodedAudio | null {
    const all = held
    held = null
    return all && lengthOf(all) > 0 ? all : null
  }

  let waiting: Decoded | null = null
  return async () => {
    const chunk = waiting ?? (await next())
    waiting = null
    if (chunk === null) return isWhole() ? null : release()
    if (chunk.type === 'nothing') return chunk
    if (chunk.type === 'sound' && (!held || fits(held, chunk))) return pass(chunk)
    // A different segment begins: the samples held back precede it.
    const all = release()
    if (!all) return chunk.type === 'sound' ? pass(chunk) : chunk
    waiting = chunk
    return all
  }
}

const lengthOf = (audio: DecodedAudio): number => audio.channels[0]?.length ?? 0

const fits = (a: DecodedAudio, b: DecodedAudio): boolean =>
  a.rate === b.rate && a.channels.length === b.channels.length

const from = (audio: DecodedAudio, at: number): DecodedAudio =>
  at === 0 ? audio : { ...audio, channels: audio.channels.map((samples) => samples.slice(at)) }

const to = (audio: DecodedAudio, end: number): DecodedAudio => ({
  ...audio,
  channels: audio.channels.map((samples) => samples.subarray(0, end)),
})

const joined = (a: DecodedAudio, b: DecodedAudio): DecodedAudio => ({
  ...b,
  channels: b.channels.map((samples, channel) => {
    return gathered([a.channels[channel] ?? new Float32Array(0), samples])
  }),
})
