import { onTestFinished } from 'vitest'
import type { AppError } from '../../../../../../src/main/errors.ts'
import {
  type Transcription,
  createTranscription,
} from '../../../../../../src/main/domains/audio/service/transcription/transcription.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type {
  NewMeeting,
  NewSegment,
} from '../../../../../../src/main/domains/audio/store/meetings-types.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import type { Line, Segment } from '../../../../../../src/shared/model/meeting.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type {
  RecordedRequest,
  ScriptedReply,
  ScriptedServer,
} from '../../../../../fixtures/scripted-server.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

/** A request to the server: the audio and its options. */
export interface ReceivedRequest {
  /** `channel start end`, the name in the test's audio. */
  readonly audio: string
  readonly prompt: string
  readonly hotwords: readonly string[]
}

/** Transcription over a real store and client, against a scripted server, with a clock and timers that the test moves. */
export interface TranscriptionSetup {
  readonly server: ScriptedServer
  readonly requests: ReceivedRequest[]
  /** Maximum number of requests in flight so far. */
  readonly maxInFlight: () => number
  store: Store
  transcription: Transcription
  now: number
  readonly timers: { readonly at: number; readonly work: () => void }[]
  readonly partials: { readonly segmentId: string; readonly text: string }[]
  readonly waiting: number[]
  readonly transcribed: { readonly segments: readonly Segment[]; readonly lines: readonly Line[] }[]
  readonly log: ReturnType<typeof memoryLog>
  /** Makes reading the key fail while set. */
  keyError: AppError | null
  /** Whether the provider is unreachable. */
  down: boolean
  /** Answers by the audio's name; replaced by tests. */
  answer: (request: ReceivedRequest) => ScriptedReply
  meeting(segments: readonly Partial<NewSegment>[], more?: Partial<NewMeeting>): string
  segments(id: string): readonly Segment[]
  texts(id: string): readonly string[]
  /** Waits until no request is in flight. */
  quiet(): Promise<void>
  /** Moves the clock to the next timer and runs it. */
  tick(): Promise<void>
  /** Moves the clock until every segment has ended, or the ticks are used up. */
  finish(id: string, ticks?: number): Promise<void>
  restart(): Promise<void>
}

/** A transcription as JSON. */
export const text = (spokenText: string): ScriptedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    id: 'r',
    created: 1,
    request_id: 'r',
    model: 'glm-asr-2512',
    text: spokenText,
  }),
})

/** A failure as JSON. */
export const failure = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

/** The given number of segments of ten seconds, half a second apart. */
export const row = (count: number, channel = 0): Partial<NewSegment>[] =>
  Array.from({ length: count }, (_, at) => ({
    channel,
    startMs: at * 10_500,
    endMs: at * 10_500 + 10_000,
  }))

const field = (body: string, name: string): string[] =>
  Array.from(
    body.matchAll(new RegExp(`name="${name}"\\r\\n\\r\\n([\\s\\S]*?)\\r\\n--lectern`, 'g')),
    (match) => match[1] ?? '',
  )

const read = (request: RecordedRequest): ReceivedRequest => {
  const body = request.body.toString('utf8')
  const audio = /sound:(\d+ \d+ \d+);/.exec(body)?.[1] ?? 'none'
  return { audio, prompt: field(body, 'prompt')[0] ?? '', hotwords: field(body, 'hotwords') }
}

/** Creates the setup for one test. */
export async function transcriptionSetup(
  options: { readonly places?: number } = {},
): Promise<TranscriptionSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const requests: ReceivedRequest[] = []
  let serial = 0
  let generation = 0
  let flying = 0
  let maxInFlight = 0
  const ids = (): string => `id-${String((serial += 1)).padStart(6, '0')}`
  const profile = { ...presets.bigmodel, concurrency: options.places ?? 4 }
  const accountId = 'account-1'
  const moving = {
    now: Date.UTC(2026, 0, 1),
    timers: [] as TranscriptionSetup['timers'],
    keyError: null as AppError | null,
    down: false,
    answer: (one: ReceivedRequest): ScriptedReply => text(`These are the words of ${one.audio}.`),
  }

  const open = async (): Promise<Store> => {
    const store = await openStore({ ...storeOptions(home), clock: () => moving.now })
    store.accounts.put({
      id: accountId,
      preset: 'custom',
      name: 'Test account',
      profile,
      createdAt: 1,
    })
    return store
  }
  const build = (store: Store): Transcription => {
    const mine = (generation += 1)
    const ifCurrent = (work: () => void): void => {
      if (mine === generation) work()
    }
    const after = (ms: number, work: () => void): (() => void) => {
      const timer = { at: moving.now + ms, work }
      moving.timers.push(timer)
      moving.timers.sort((one, other) => one.at - other.at)
      return () => {
        const place = moving.timers.indexOf(timer)
        if (place >= 0) moving.timers.splice(place, 1)
      }
    }
    return createTranscription({
      store,
      api,
      accounts: {
        async target(id) {
          if (setup.keyError) throw setup.keyError
          return target(profile, {
            accountId: id,
            ...(setup.down && { baseUrl: 'http://127.0.0.1:9' }),
          })
        },
      },
      audio: {
        async extractSegment(_, channel, span) {
          flying += 1
          maxInFlight = Math.max(maxInFlight, flying)
          return Buffer.from(`sound:${channel} ${span.startMs} ${span.endMs};`)
        },
      },
      clock: () => moving.now,
      ids,
      log,
      mask: (value) => value,
      workQueue: createWorkQueue({ clock: () => moving.now, log, random: () => 0.5, after }),
      after,
      events: {
        onTranscribed: (_, change) => ifCurrent(() => void setup.transcribed.push(change)),
        onPartial: (_, segmentId, partialText) =>
          ifCurrent(() => void setup.partials.push({ segmentId, text: partialText })),
        onWaiting: (count) => ifCurrent(() => void setup.waiting.push(count)),
      },
    })
  }
  server.always((request) => {
    const one = read(request)
    requests.push(one)
    const reply = setup.answer(one)
    setTimeout(() => (flying -= 1), reply.delayMs ?? 0)
    return reply
  })

  const store = await open()
  const setup: TranscriptionSetup = Object.assign(moving, {
    server,
    requests,
    maxInFlight: () => maxInFlight,
    store,
    transcription: build(store),
    partials: [],
    waiting: [],
    transcribed: [],
    log,
    meeting(segments, more) {
      const id = ids()
      const channels = more?.channels ?? ['mono']
      setup.store.meetings.create({
        id,
        title: 'Meeting',
        source: 'import',
        state: 'stopped',
        channels,
        sampleRate: 48_000,
        mediaId: null,
        hasAudio: true,
        accountId,
        prompt: '',
        hotwords: [],
        at: moving.now,
        ...more,
      })
      for (const channel of channels.keys()) {
        const own = segments.filter((segment) => (segment.channel ?? 0) === channel)
        const made = own.map((segment) => ({
          id: ids(),
          channel,
          startMs: 0,
          endMs: 10_000,
          forcedStart: false,
          forcedEnd: false,
          voiced: [],
          ...segment,
        }))
        setup.store.meetings.addSegments(id, channel, made, made.at(-1)?.endMs ?? 0)
      }
      return id
    },
    segments: (id) => setup.store.meetings.segments(id),
    texts: (id) => setup.store.meetings.lines(id).map((line) => line.text),
    async quiet() {
      let idleChecks = 0
      await eventually(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        idleChecks = setup.transcription.busy() ? 0 : idleChecks + 1
        if (idleChecks < 3) throw new Error('still busy')
      })
    },
    async tick() {
      const timer = setup.timers.shift()
      if (!timer) throw new Error('nothing is planned')
      setup.now = Math.max(setup.now, timer.at)
      timer.work()
      await setup.quiet()
    },
    async finish(id, ticks = 60) {
      await setup.quiet()
      for (
        let n = 0;
        n < ticks && setup.store.meetings.work(id, ['pending', 'inflight']).length > 0;
        n++
      )
        await setup.tick()
    },
    async restart() {
      generation += 1
      setup.timers.length = 0
      await setup.transcription.shutdown()
      await setup.store.close()
      setup.store = await open()
      setup.transcription = build(setup.store)
      setup.transcription.resume()
    },
  } satisfies Omit<TranscriptionSetup, keyof typeof moving>)
  onTestFinished(async () => {
    await setup.transcription.shutdown()
    await setup.store.close()
    remove()
  })
  return setup
}
