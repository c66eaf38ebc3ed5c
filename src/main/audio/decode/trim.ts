import { gathered } from '../pcm.ts'
import type { Decoded } from './decoded.ts'

/** Samples of a channel that an encoder put around the sound. */
export interface Added {
  readonly before: number
  readonly after: number
}

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/**
 * Leaves out what an encoder added. The end can only be known when it came: until then its samples are kept back, and if the
 * file turns out not to be whole (`isWhole`), they are sound.
 */
export function trimmed(
  next: () => Promise<Decoded | null>,
  added: Added,
  isWhole: () => boolean,
): () => Promise<Decoded | null> {
  let before = added.before
  let held: DecodedAudio | null = null

  /** The samples that are surely sound. */
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
    // Something else begins: what was kept back lies in front of it.
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
