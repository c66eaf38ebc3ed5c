import { onTestFinished, expect, test } from 'vitest'
import type { ServiceTarget } from '../../../../../../src/main/provider-client/types.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import {
  createSummaries,
  type SummariesDeps,
} from '../../../../../../src/main/domains/audio/service/summaries/summaries.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { MeetingSummaryText } from '../../../../../../src/shared/model/meeting.ts'
import { engineNames } from '../../../../../../src/shared/provider/engine-names.ts'
import { engineNotices } from '../../../../../../src/shared/provider/engine-notices.ts'
import {
  readMinutesBlock,
  type MinutesRequest,
} from '../../../../../../src/shared/provider/minutes.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type { ScriptedReply } from '../../../../../fixtures/scripted-server.ts'
import { startTestService } from '../../../../../local-service/fixtures/service.ts'
import {
  apiSetup,
  eventStream,
  forGood,
  type ApiSetup,
} from '../../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'
import { aMeeting, transcribeAt } from '../../store/fixture.ts'

const decisions = 'built-in-decisions'

interface SummarySetup {
  readonly store: Store
  readonly made: ApiSetup
  readonly summaries: ReturnType<typeof createSummaries>
  readonly deps: SummariesDeps
  /** Requested pauses, in milliseconds. */
  readonly pauses: number[]
  start(more?: Partial<Parameters<ReturnType<typeof createSummaries>['start']>[0]>): Promise<void>
  summary(id?: string): MeetingSummaryText
  ended(id?: string): Promise<MeetingSummaryText>
}

const talk = [
  'Good morning everyone.',
  'We decided to ship in May.',
  'I will write the release notes.',
  'Who tells the customers?',
]

/** A meeting `m` of one speaker with these lines, and summaries of it from a scripted server. */
async function setup(
  lines: readonly string[] = talk,
  change: Partial<SummariesDeps> & { readonly target?: (made: ApiSetup) => ServiceTarget } = {},
): Promise<SummarySetup> {
  const made = await apiSetup()
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  store.meetings.create(aMeeting('m'))
  transcribeAt(store, 'm', 'a', 0, 0, lines)
  const pauses: number[] = []
  let ids = 0
  const { target, ...others } = change
  const deps: SummariesDeps = {
    store,
    api: made.api,
    accounts: { target: async () => target?.(made) ?? made.target() },
    clock: () => 1_780_000_000_000,
    ids: () => `id-of-the-test-${String((ids += 1)).padStart(8, '0')}`,
    log: memoryLog(),
    mask: (text) => text.replaceAll('s3cret', '…'),
    after(ms, work) {
      pauses.push(ms)
      const timer = setTimeout(work, 0)
      return () => clearTimeout(timer)
    },
    onSummary: () => {},
    ...others,
  }
  const summaries = createSummaries(deps)
  onTestFinished(async () => {
    await summaries.shutdown()
    await store.close()
    remove()
  })
  const summary: SummarySetup['summary'] = (id = 'summary-stream-01') => {
    const found = store.meetings.get('m')?.summaries.find((one) => one.id === id)
    if (!found) throw new Error('there is no such summary')
    return found
  }
  return {
    store,
    made,
    summaries,
    deps,
    pauses,
    summary,
    start: (more) =>
      summaries.start({ id: 'm', templateId: decisions, streamId: 'summary-stream-01', ...more }),
    ended: (id) =>
      eventually(() => {
        const now = summary(id)
        if (now.state === 'running') throw new Error('it still runs')
        return now
      }),
  }
}

/** An answer of an assistant, as chunks of a stream. */
const answered = (text: string): ScriptedReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: eventStream([
    ...(text.match(/[^]{1,40}/gu) ?? []).map((content) => ({
      id: 'c1',
      conversation_id: 'conversation-1',
      model: 'glm-4-assistant',
      status: 'in_progress',
      choices: [{ index: 0, delta: { type: 'content', role: 'assistant', content } }],
    })),
    {
      id: 'c1',
      conversation_id: 'conversation-1',
      model: 'glm-4-assistant',
      status: 'completed',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    },
  ]),
})

/** The request, as the provider parses it. */
const parseRequest = (body: Buffer): MinutesRequest => {
  const { messages } = JSON.parse(body.toString()) as { messages: { content: string }[] }
  const request = readMinutesBlock(messages[0]?.content ?? '')
  if (!request) throw new Error('this asks for no minutes')
  return request
}
const refused = (code: string, status = 400): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

test('a summary is a row from the start, and its points refer to their lines', async () => {
  const { store, made, start, ended, summary } = await setup()
  made.server.queue(
    answered(
      '## 1. Decisions\n- Shipping in May, says s3cret. [2]\n\n## 2. Actions\n- Release notes [3, 99]\n- Something else\n\n## 3. Open questions\n- Customers [1-4]',
    ),
  )
  await start()
  expect(summary()).toMatchObject({ state: 'running', points: [], templateId: decisions })
  const end = await ended()
  const ids = store.meetings.lines('m').map(({ id }) => id)
  expect(end).toMatchObject({ state: 'done', error: null, engine: 'glm-4-assistant' })
  expect(end.points).toEqual([
    { section: 'Decisions', text: 'Shipping in May, says ….', lineIds: [ids[1]] },
    { section: 'Actions', text: 'Release notes', lineIds: [ids[2]] },
    { section: 'Actions', text: 'Something else', lineIds: [] },
    { section: 'Open questions', text: 'Customers', lineIds: ids },
  ])
  const [request] = made.server.requests
  expect(parseRequest(request?.body ?? Buffer.alloc(0)).lines[1]).toBe(
    '[2] 0:01 Me: We decided to ship in May.',
  )
  // The raw response is saved, without secrets.
  const [reply] = store.replies.byItem('m')
  expect(reply?.operation).toBe('assistants.chat')
  expect(String(reply?.body)).not.toContain('s3cret')
})

test('splits a long meeting into chunks, and joins the points by one more request', async () => {
  const spokenTexts = Array.from(
    { length: 120 },
    (_, at) => `Line ${at + 1} says what there is to say here.`,
  )
  const { store, made, start, ended } = await setup(spokenTexts, { chunkTokens: 400 })
  let last = 0
  made.server.always(({ body }) => {
    const request = parseRequest(body)
    if (request.body === 'points') {
      expect(request.lines.every((line) => line.startsWith('Decisions | '))).toBe(true)
      last = Number(/\[(\d+)\]$/.exec(request.lines.at(-1) ?? '')?.[1])
      return answered(`## 1. Decisions\n- All of it [1, ${last}]\n- Forged [2, 500]`)
    }
    const numbers = request.lines.map((line) => /^\[(\d+)\]/.exec(line)?.[1])
    return answered(`## 1. Decisions\n- From ${numbers[0]} on [${numbers[0]}]`)
  })
  await start()
  const end = await ended()
  const bodies = made.server.requests.map(({ body }) => parseRequest(body))
  expect(
    bodies.filter(({ body }) => body === 'transcript').flatMap(({ lines }) => lines),
  ).toHaveLength(120)
  expect(bodies.filter(({ body }) => body === 'transcript').length).toBeGreaterThan(3)
  expect(bodies.filter(({ body }) => body === 'points')).toHaveLength(1)
  const ids = store.meetings.lines('m').map(({ id }) => id)
  expect(end.points).toEqual([
    { section: 'Decisions', text: 'All of it', lineIds: [ids[0], ids[last - 1]] },
    { section: 'Decisions', text: 'Forged', lineIds: [] },
  ])
})

test('halves a chunk that turns out too long for the provider', async () => {
  const spokenTexts = Array.from({ length: 16 }, (_, at) => `Line number ${at + 1} of it.`)
  const { made, start, ended } = await setup(spokenTexts)
  made.server.always(({ body }) => {
    const { body: kind, lines } = parseRequest(body)
    if (kind === 'points') return answered('## Decisions\n- joined [1]')
    return lines.length > 5 ? refused('1261') : answered('## Decisions\n- some [1]')
  })
  await start()
  expect((await ended()).state).toBe('done')
  const sizes = made.server.requests
    .map(({ body }) => parseRequest(body))
    .map(({ lines }) => lines.length)
  expect(sizes).toEqual([16, 8, 4, 4, 8, 4, 4, 4])
})

test('reports a permanent failure at once with its reason, and keeps received points', async () => {
  const spokenTexts = Array.from(
    { length: 60 },
    (_, at) => `Line ${at + 1} says what there is to say here.`,
  )
  const { made, start, ended } = await setup(spokenTexts, { chunkTokens: 400 })
  made.server.queue(answered('## Decisions\n- the first piece [1]'), refused('1113', 429))
  await start()
  const end = await ended()
  expect(end.state).toBe('failed')
  expect(end.error?.code).not.toBe('INTERNAL')
  expect(end.points.map(({ text }) => text)).toEqual(['the first piece'])
})

test('retries a temporary failure after a pause, up to three times', async () => {
  const { made, pauses, start, ended } = await setup()
  made.server.queue(refused('500', 500), refused('500', 500), answered('## Decisions\n- done [2]'))
  await start()
  expect((await ended()).points).toHaveLength(1)
  expect(pauses).toEqual([2000, 8000])
  made.server.always(refused('500', 500))
  await start({ streamId: 'summary-stream-02' })
  const end = await ended('summary-stream-02')
  expect(end).toMatchObject({ state: 'failed', error: { retriable: true } })
  expect(made.server.requests).toHaveLength(6)
})

test('fails for an empty answer, a meeting without text, and an unknown template', async () => {
  const { store, made, start, ended } = await setup()
  made.server.always(answered('  \n'))
  await start()
  expect((await ended()).error?.code).toBe('MALFORMED_REPLY')
  await expect(start({ templateId: 'nobody' })).resolves.toBeUndefined()
  await expect(
    start({ templateId: 'nobody', streamId: 'summary-stream-03' }),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  store.meetings.create(aMeeting('silent'))
  await expect(start({ id: 'silent', streamId: 'summary-stream-04' })).rejects.toMatchObject({
    code: 'REFUSED',
  })
})

test('uses the headings of custom templates', async () => {
  const { store, made, start, ended } = await setup()
  store.meetings.putTemplate({
    id: 'mine',
    name: 'Risks',
    builtIn: false,
    sections: [{ title: 'Risks', instruction: 'What may go wrong.' }],
  })
  made.server.queue(answered('Risks:\n* It may rain [1]'))
  await start({ templateId: 'mine' })
  const end = await ended()
  expect(end).toMatchObject({ templateName: 'Risks', points: [{ section: 'Risks' }] })
})

test('removing a meeting or summary aborts its request', async () => {
  const { store, made, summaries, start, summary } = await setup()
  made.server.always({ hang: true, headers: { 'content-type': 'text/event-stream' } })
  await start()
  await start({ streamId: 'summary-stream-02' })
  await eventually(() => expect(made.server.requests).toHaveLength(2))
  expect(summaries.busy()).toBe(true)
  await summaries.stop('summary-stream-01')
  expect(summary()).toMatchObject({ state: 'failed', error: { code: 'CANCELLED' } })
  store.meetings.removeSummary('summary-stream-02')
  await summaries.forget(['m'])
  expect(summaries.busy()).toBe(false)
  expect(store.meetings.get('m')?.summaries.map(({ id }) => id)).toEqual(['summary-stream-01'])
})

test('marks a summary left running by an earlier run as failed, and it can be made again', async () => {
  const { store, made, deps, summaries, start, summary } = await setup()
  made.server.always({ hang: true, headers: { 'content-type': 'text/event-stream' } })
  await start()
  await eventually(() => expect(made.server.requests).toHaveLength(1))
  await summaries.shutdown()
  expect(summary().state).toBe('running')
  const reported: string[] = []
  const next = createSummaries({ ...deps, onSummary: (id) => void reported.push(id) })
  next.resume()
  expect(summary()).toMatchObject({
    state: 'failed',
    error: { code: 'LEFT_UNFINISHED', retriable: true },
  })
  expect(reported).toEqual(['m'])
  expect(store.meetings.runningSummaries()).toEqual([])
  await next.shutdown()
})

test('a missing key fails the summary with a message, not the app', async () => {
  const { start, ended } = await setup(talk, {
    accounts: {
      target: () => Promise.reject(new AppError('NO_KEY', 'The account has no key')),
    },
  })
  await start()
  expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'NO_KEY' } })
})

test('the on-device service summarizes in either language, and describes its method', async () => {
  const service = await startTestService()
  onTestFinished(() => service.stop())
  const local = (made: ApiSetup): ServiceTarget =>
    made.target(presets.local, { baseUrl: service.url, key: service.key })
  const { store, start, ended } = await setup(talk, { target: local, chunkTokens: forGood })
  await start()
  const end = await ended()
  const ids = store.meetings.lines('m').map(({ id }) => id)
  expect(end.error).toBeNull()
  expect(end.engine.split('\n')).toEqual([
    engineNames.sentencePicker,
    engineNotices.sentencesPicked,
  ])
  expect(end.points).toEqual([
    { section: 'Decisions', text: 'Me: We decided to ship in May.', lineIds: [ids[1]] },
    { section: 'Actions', text: 'Me: I will write the release notes.', lineIds: [ids[2]] },
    { section: 'Open questions', text: 'Me: Who tells the customers?', lineIds: [ids[3]] },
  ])

  const chinese = ['我们决定五月发布。', '我会在周五之前写好说明。', '谁来通知客户？']
  const other = await setup(chinese, { target: local, chunkTokens: 15 })
  await other.start()
  const made = await other.ended()
  expect(made.points.map(({ section, text }) => [section, text])).toEqual([
    ['决定', '我: 我们决定五月发布。'],
    ['待办事项', '我: 我会在周五之前写好说明。'],
    ['未决问题', '我: 谁来通知客户？'],
  ])
}, 60_000)
