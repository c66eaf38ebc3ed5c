import type { ActivityAnswer, ActivityRequest } from '../activity-messages.ts'
import { loadResampling } from '../resample.ts'
import type { Resampling } from '../resample.ts'
import { createChannelInspection, runUpFrames } from './channel-inspection.ts'
import type { ChannelInspection } from './channel-inspection.ts'
import { readChannel } from './channel-audio.ts'
import type { ReadableSession } from './channel-audio.ts'
import { createGatedDetector, createLiveDetector } from './voice-detector.ts'
import { frameAt } from './frames.ts'
import { loadSilero } from './silero.ts'
import type { Silero } from './silero.ts'

/** Voice activity of any number of sessions. Caches channel state only for speed. */
export interface Activity {
  /** Handles one request at a time; returns null for `forget`. Throws the errors of reading the session. */
  answer(request: ActivityRequest): Promise<ActivityAnswer | null>
}

export interface ActivityDeps {
  readonly modelsDir: string
  openSession(folder: string): ReadableSession & { close(): void }
}

type InspectionRequest = Extract<ActivityRequest, { type: 'look' }>

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
