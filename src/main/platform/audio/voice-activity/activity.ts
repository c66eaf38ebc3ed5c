import { transcriptionRate, wholeMs } from '../../../../shared/model/meeting.ts'
import { channelOf, toPcm } from '../../../../system/audio/pcm.ts'
import { loadResampling, type Resampling } from '../../../../system/audio/resample.ts'
import { frameAt, frameMs, frameSamples } from './frames.ts'
import type { FoundSegment, OpenSpeech, Place } from './segmenter.ts'
import { loadSilero, type Silero } from './silero.ts'
import { createGatedDetector, createLiveDetector, type VoiceDetector } from './voice-detector.ts'

/** Requests to the voice activity worker. Its state is only a cache: it can restart from `fromMs` at any time. */
export type ActivityRequest =
  /**
   * Analyzes a channel of a session from where it stopped (first call: from `fromMs`, where the last segment ended) up to the
   * written frames. `last` closes an open segment. `live` runs the detector on every frame; otherwise the cheap gate analyzes
   * everything and the detector only the undecided parts. Analyzes no more than `maxMs` in one call.
   */
  | {
      readonly type: 'inspect'
      readonly folder: string
      readonly channel: number
      readonly fromMs: number
      /** The last segment ended in a forced cut after `fromMs`: the segment that begins there is its overlap. */
      readonly forced?: boolean
      readonly last: boolean
      readonly live: boolean
      readonly maxMs: number
    }
  | { readonly type: 'forget'; readonly folder: string }

/** Response of the voice activity worker. */
export interface ActivityAnswer {
  readonly segments: readonly FoundSegment[]
  /** Speech after the last segment; null if there is none yet. */
  readonly speech: OpenSpeech | null
  /** Everything before it is decided: a new analysis may begin there. */
  readonly analysedMs: number
  /** There is a forced cut after `analysedMs`: see the field of the request. */
  readonly forced: boolean
  /** The detector's model is missing: only the cheap gate was used. Absent otherwise. */
  readonly gateAlone?: true
  /** False while there is more to analyze. */
  readonly done: boolean
}

/** Voice activity of any number of sessions. Caches channel state only for speed. */
interface Activity {
  /** Handles one request at a time; returns null for `forget`. Throws the errors of reading the session. */
  answer(request: ActivityRequest): Promise<ActivityAnswer | null>
}

interface ActivityDeps {
  readonly modelsDir: string
  openSession(folder: string): ReadableSession & { close(): void }
}

type InspectionRequest = Extract<ActivityRequest, { type: 'inspect' }>

interface Tools {
  readonly silero: Silero | null
  readonly resampling: Resampling
}

interface Held {
  readonly inspection: ChannelInspection
  readonly live: boolean
  free(): void
}

/** Creates voice activity detection; the model is loaded with the first analysis. */
export function createActivity(deps: ActivityDeps): Activity {
  const held = new Map<string, Map<number, Held>>()
  let tools: Promise<Tools> | null = null
  let before: Promise<unknown> = Promise.resolve()

  async function load(): Promise<Tools> {
    try {
      const [silero, resampling] = await Promise.all([loadSilero(deps.modelsDir), loadResampling()])
      return { silero, resampling }
    } catch (error) {
      tools = null
      throw error
    }
  }

  async function begin(request: InspectionRequest, { silero, resampling }: Tools): Promise<Held> {
    const session = deps.openSession(request.folder)
    const place = { ms: request.fromMs, forced: request.forced ?? false }
    const first = Math.max(0, frameAt(place.ms) - runUpFrames)
    const audio = readChannel(session, request.channel, resampling, first)
    const detector =
      request.live && silero
        ? createLiveDetector(silero, first)
        : await createGatedDetector(silero, first)
    const begun = await createChannelInspection(audio, detector, place)
    return {
      inspection: begun,
      live: request.live,
      free() {
        begun.free()
        session.close()
      },
    }
  }

  async function inspect(request: InspectionRequest): Promise<ActivityAnswer> {
    tools ??= load()
    const ready = await tools
    const channels = held.get(request.folder) ?? new Map<number, Held>()
    held.set(request.folder, channels)
    let own = channels.get(request.channel)
    if (own?.live !== request.live || own.inspection.place().ms !== request.fromMs) {
      own?.free()
      channels.delete(request.channel)
      own = await begin(request, ready)
      channels.set(request.channel, own)
    }
    try {
      const found = await own.inspection.more(request)
      return ready.silero ? found : { ...found, gateAlone: true }
    } catch (error) {
      // Its state may be that of half an analysis: the next one starts from scratch.
      channels.delete(request.channel)
      own.free()
      throw error
    }
  }

  function forget(folder: string): null {
    for (const each of held.get(folder)?.values() ?? []) each.free()
    held.delete(folder)
    return null
  }

  return {
    answer(request) {
      const turn = before.then(() =>
        request.type === 'forget' ? forget(request.folder) : inspect(request),
      )
      // The models handle one call at a time, and a failed analysis blocks no others.
      before = turn.catch(() => null)
      return turn
    },
  }
}

/** Frames that a detector processes before the first one that counts: enough to learn the noise, and to warm up. */
const runUpFrames = 192

interface ChannelInspection {
  /** Returns where the next analysis continues. */
  place(): Place
  more(how: { readonly last: boolean; readonly maxMs: number }): Promise<ActivityAnswer>
  free(): void
}

/** Analyzes a channel from a position on. Audio and detector begin {@link runUpFrames} before it, or at the beginning. */
async function createChannelInspection(
  audio: ChannelAudio,
  detector: VoiceDetector,
  from: Place,
): Promise<ChannelInspection> {
  let place = from
  const first = frameAt(from.ms)
  const runUp = Math.min(first, runUpFrames)
  await detector.take(audio.more(runUp, false))
  detector.dropBefore(first)

  return {
    place: () => place,
    async more({ last, maxMs }) {
      await detector.take(audio.more(Math.max(1, Math.floor(maxMs / frameMs)), last))
      const done = audio.atEnd(last)
      const endMs = last && done ? Math.max(place.ms, audio.lengthMs()) : null
      const finding = await detector.find(place, endMs)
      place = finding.place
      detector.dropBefore(frameAt(place.ms))
      return {
        segments: finding.segments,
        speech: finding.speech,
        analysedMs: place.ms,
        forced: place.forced,
        done,
      }
    },
    free() {
      audio.free()
      detector.free()
    },
  }
}

/** Used part of a session. */
interface ReadableSession {
  readonly head: { readonly sampleRate: number }
  readonly channels: number
  frames(): number
  read(start: number, count: number): Int16Array
}

/** One channel of a session at 16 kHz, in voice activity frames, while it is being written. */
interface ChannelAudio {
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
function readChannel(
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
