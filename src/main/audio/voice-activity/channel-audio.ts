import { transcriptionRate, wholeMs } from '../../../shared/model/meeting.ts'
import { channelOf, toPcm } from '../pcm.ts'
import type { Resampling } from '../resample.ts'
import { frameMs, frameSamples } from './frames.ts'

/** Used part of a session. */
export interface ReadableSession {
  readonly head: { readonly sampleRate: number }
  readonly channels: number
  frames(): number
  read(start: number, count: number): Int16Array
}

/** One channel of a session at 16 kHz, in voice activity frames, while it is being written. */
export interface ChannelAudio {
  /** Returns up to `most` whole frames written since the last call. `last` pads the final incomplete frame. */
  more(maxFrames: number, last: boolean): Int16Array
  /** Whether nothing more is available now. */
  atEnd(last: boolean): boolean
  /** Length of the written audio, in whole milliseconds. */
  lengthMs(): number
  free(): void
}

/** Milliseconds read at a time. */
const stepMs = 10_000

/** Reads a channel from a frame of the grid on. */
export function readChannel(
  session: ReadableSession,
  channel: number,
  resampling: Resampling,
  first: number,
): ChannelAudio {
  const rate = session.head.sampleRate
  const resampler = resampling(rate, transcriptionRate)
  const chunks: Int16Array[] = []
  let waiting = 0
  let at = Math.round((first * frameMs * rate) / 1000)
  let ended = false

  function keep(samples: Float32Array): void {
    if (samples.length === 0) return
    chunks.push(toPcm(samples))
    waiting += samples.length
  }

  function fill(wanted: number, last: boolean): void {
    const step = Math.round((stepMs * rate) / 1000)
    while (waiting < wanted) {
      const read = session.read(at, Math.min(step, Math.max(0, session.frames() - at)))
      if (read.length === 0) break
      at += read.length / session.channels
      keep(resampler.push(channelOf(read, session.channels, channel)))
    }
    if (!last || ended || at < session.frames()) return
    ended = true
    keep(resampler.end())
    const over = waiting % frameSamples
    if (over > 0) {
      chunks.push(new Int16Array(frameSamples - over))
      waiting += frameSamples - over
    }
  }

  return {
    more(maxFrames, last) {
      fill(maxFrames * frameSamples, last)
      const whole = joined(chunks, waiting)
      const count = Math.min(maxFrames, Math.floor(waiting / frameSamples)) * frameSamples
      chunks.splice(0, chunks.length, whole.slice(count))
      waiting -= count
      return whole.slice(0, count)
    },
    atEnd: (last) => waiting < frameSamples && at >= session.frames() && (ended || !last),
    lengthMs: () => wholeMs(session.frames(), rate),
    free: () => resampler.free(),
  }
}

function joined(chunks: readonly Int16Array[], length: number): Int16Array {
  const whole = new Int16Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
