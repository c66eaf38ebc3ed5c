import { transcriptionRate } from '../../../shared/model/meeting.ts'
import { putPcm, release } from '../pcm.ts'
import type { Resampler, Resampling } from '../resample.ts'
import { rolesOf, type ChannelPlan } from './channels.ts'
import type { Decoded } from './decoded.ts'

/** Takes what a decoder gives and hands it on as frames of a session at 16 kHz, in order and at their time. */
export interface Feed {
  /** The memory of its samples is given back. */
  take(chunk: Decoded): void
  /** Nothing more comes. */
  end(): void
}

/** Where frames go; both follow what came before. */
export interface FeedTarget {
  frames(samples: Int16Array<ArrayBuffer>): void
  /** Time that damage took. */
  lost(frames: number): void
}

/** Frames of silence handed on at once. */
const maxSilence = 10 * transcriptionRate

/** Begins at time 0. When rate or channels change on the way, what came before is ended and the new begins behind it. */
export function createFeed(plan: ChannelPlan, resampling: Resampling, to: FeedTarget): Feed {
  const width = rolesOf[plan].length
  let resamplers: readonly Resampler[] = []
  let rate = 0
  let seconds = 0
  let given = 0

  function hand(channels: readonly Float32Array<ArrayBuffer>[]): void {
    const count = channels[0]?.length ?? 0
    if (count === 0) return
    const frames = new Int16Array(count * width)
    for (const [channel, samples] of channels.entries()) putPcm(samples, frames, channel, width)
    release(...channels)
    given += count
    to.frames(frames)
  }

  function finish(): void {
    if (resamplers.length > 0) hand(resamplers.map((each) => each.end()))
    for (const each of resamplers) each.free()
    resamplers = []
  }

  function addAudio(channels: readonly Float32Array<ArrayBuffer>[], from: number): void {
    if (from !== rate) finish()
    rate = from
    if (resamplers.length === 0)
      resamplers = Array.from({ length: width }, () => resampling(from, transcriptionRate))
    const planned = plan === 'mono' ? [meanOf(channels)] : bothOf(channels)
    seconds += (channels[0]?.length ?? 0) / from
    hand(resamplers.map((each, i) => each.push(planned[i] ?? new Float32Array(0))))
    release(...planned, ...channels)
  }

  function silence(length: number, lost: boolean): void {
    finish()
    seconds += length
    // By the time since the beginning, so that what was rounded before does not add up.
    const frames = Math.max(0, Math.round(seconds * transcriptionRate) - given)
    given += frames
    if (lost) return to.lost(frames)
    for (let left = frames; left > 0; left -= maxSilence)
      to.frames(new Int16Array(Math.min(left, maxSilence) * width))
  }

  return {
    take(chunk) {
      if (chunk.type === 'sound') addAudio(chunk.channels, chunk.rate)
      if (chunk.type === 'silence') silence(chunk.seconds, chunk.lost)
    },
    end: finish,
  }
}

/** Of one channel in the middle of a file with two, nobody knows which it is: it stays on the first. */
function bothOf(
  channels: readonly Float32Array<ArrayBuffer>[],
): readonly Float32Array<ArrayBuffer>[] {
  const [left = new Float32Array(0), right = new Float32Array(left.length)] = channels
  return channels.length > 2 ? [meanOf(channels), new Float32Array(left.length)] : [left, right]
}

function meanOf(channels: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const [first = new Float32Array(0), ...others] = channels
  if (others.length === 0) return first
  const mean = new Float32Array(first.length)
  for (let i = 0; i < mean.length; i++) {
    let sum = first[i] ?? 0
    for (const channel of others) sum += channel[i] ?? 0
    mean[i] = sum / channels.length
  }
  return mean
}
