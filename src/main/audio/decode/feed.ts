import { transcriptionRate } from '../../../shared/model/meeting.ts'
import { putPcm, release } from '../pcm.ts'
import type { Resampler, Resampling } from '../resample.ts'
import { rolesOf, type ChannelPlan } from './channels.ts'
import type { Decoded } from './decoded.ts'

/** Converts the output of a decoder to frames of a session at 16 kHz, in order and at their time. */
export interface Feed {
  /** Accepts a block. The memory of its samples can be reused. */
  take(chunk: Decoded): void
  /** Ends the input. */
  end(): void
}

/** Receiver of frames; both methods append to the previous ones. */
export interface FeedTarget {
  frames(samples: Int16Array<ArrayBuffer>): void
  /** Frames lost to damage. */
  lost(frames: number): void
}

/** Maximum frames of silence passed on at once. */
const maxSilence = 10 * transcriptionRate

/** Begins at time 0. When rate or channels change midway, the audio so far is finished and the new audio follows it. */
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
    // From the time since the beginning, so that rounding errors do not add up.
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

/** A single channel in the middle of a file with two cannot be identified: it is assigned to the first. */
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
