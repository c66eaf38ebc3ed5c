import { gathered } from '../pcm.ts'
import type { Decoded } from './decoded.ts'

/** Samples of a channel that an encoder put around the sound. */
export interface Added {
  readonly before: number
  readonly after: number
}

type AudioData = Extract<Decoded, { type: 'sound' }>

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
  let kept: AudioData | null = null

  /** The samples that are surely sound. */
  function pass(sound: AudioData): Decoded {
    const begins = from(sound, Math.min(before, lengthOf(sound)))
    before -= lengthOf(sound) - lengthOf(begins)
    if (added.after === 0) return begins
    const whole = kept ? joined(kept, begins) : begins
    const ready = Math.max(0, lengthOf(whole) - added.after)
    kept = from(whole, ready)
    return ready === 0 ? { type: 'nothing' } : to(whole, ready)
  }

  function release(): AudioData | null {
    const all = kept
    kept = null
    return all && lengthOf(all) > 0 ? all : null
  }

  let waiting: Decoded | null = null
  return async () => {
    const piece = waiting ?? (await next())
    waiting = null
    if (piece === null) return isWhole() ? null : release()
    if (piece.type === 'nothing') return piece
    if (piece.type === 'sound' && (!kept || fits(kept, piece))) return pass(piece)
    // Something else begins: what was kept back lies in front of it.
    const all = release()
    if (!all) return piece.type === 'sound' ? pass(piece) : piece
    waiting = piece
    return all
  }
}

const lengthOf = (sound: AudioData): number => sound.channels[0]?.length ?? 0

const fits = (a: AudioData, b: AudioData): boolean =>
  a.rate === b.rate && a.channels.length === b.channels.length

const from = (sound: AudioData, at: number): AudioData =>
  at === 0 ? sound : { ...sound, channels: sound.channels.map((samples) => samples.slice(at)) }

const to = (sound: AudioData, end: number): AudioData => ({
  ...sound,
  channels: sound.channels.map((samples) => samples.subarray(0, end)),
})

const joined = (a: AudioData, b: AudioData): AudioData => ({
  ...b,
  channels: b.channels.map((samples, channel) => {
    return gathered([a.channels[channel] ?? new Float32Array(0), samples])
  }),
})
