import { beforeEach, expect, test, vi } from 'vitest'
import type { SenderMessage } from '../../../../../src/renderer/src/domains/audio/recorder/audio/messages.ts'
import type {
  Recorder,
  RecorderEvents,
} from '../../../../../src/renderer/src/domains/audio/recorder/audio/recorder.ts'
import type { openSources } from '../../../../../src/renderer/src/domains/audio/recorder/open-sources.ts'
import { useCapture } from '../../../../../src/renderer/src/domains/audio/recorder/recorder-store.ts'
import type { Meeting } from '../../../../../src/shared/model/meeting.ts'
import { failure } from '../../../fake-data.ts'
import { meetingOf } from '../meetings/side-data.ts'
import { rendererSetup } from '../../../stores.ts'

const sources = vi.hoisted(() => ({ open: vi.fn<typeof openSources>() }))
vi.mock('../../../../../src/renderer/src/domains/audio/recorder/open-sources.ts', () => ({
  openSources: sources.open,
}))

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
  vi.stubGlobal('navigator', {})
  const page = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => true,
  })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  return () => vi.unstubAllGlobals()
})

/** Returns the page while recording one microphone; `sent` simulates the sender's worker. */
async function recording() {
  const app = rendererSetup()
  const meeting: Meeting = { ...meetingOf(), id: 'm1', state: 'recording' }
  const world = { meeting, closed: 0, hurried: 0 }
  const recorder = {
    sampleRate: 48_000,
    channels: [{ state: 'live', label: 'Mic' }],
    record() {},
    end() {},
    pause() {},
    hurry: () => void (world.hurried += 1),
    close: () => void (world.closed += 1),
  } as unknown as Recorder
  let on: RecorderEvents | null = null
  sources.open.mockImplementation(async (_, events) => {
    on = events
    return { recorder, roles: ['mic'] }
  })
  app.main.answer('meetings.begin', () => ({ meeting: world.meeting }))
  app.main.answer('meetings.get', () => ({ meeting: world.meeting }))
  app.main.answer('meetings.reopen', () => ({}))
  app.main.answer('meetings.stop', () => ({ meeting: world.meeting }))
  app.main.answer('meetings.capture', () => ({}))
  const store = app.run(() => useCapture())
  expect(await store.begin({})).toBe('m1')
  const sent = (message: SenderMessage): void => on?.sent(message)
  const routes = () =>
    app.main.requests.flatMap(({ route }) => (/capture|stop/.test(route) ? [route] : []))
  return { ...app, store, world, sent, routes }
}

test('reports the last events before the end, since main rejects them afterwards', async () => {
  const { store, main, sent, routes, settle } = await recording()
  const answers: (() => void)[] = []
  const request = main.request.bind(main)
  vi.spyOn(main, 'request').mockImplementation(async (route, payload) => {
    const reply = await request(route, payload)
    if (route === 'meetings.capture') await new Promise<void>((resolve) => answers.push(resolve))
    return reply
  })
  store.stop()
  sent({ type: 'gap', frame: 48_000, endFrame: 96_000, reason: 'suspended' })
  sent({ type: 'gap', frame: 96_000, endFrame: 144_000, reason: 'overload' })
  sent({ type: 'done', frames: 144_000, written: 144_000 })
  await settle()
  expect(routes()).toEqual(['meetings.capture'])
  answers.shift()?.()
  await settle()
  answers.shift()?.()
  await settle()
  expect(routes()).toEqual(['meetings.capture', 'meetings.capture', 'meetings.stop'])
  expect(store.state).toMatchObject({ phase: 'idle', ended: 'm1' })
})

const refused = {
  type: 'progress',
  recorded: 96_000,
  written: 48_000,
  state: 'refused',
  driftPpm: null,
} as const

test('ends a recording that was ended or discarded elsewhere', async () => {
  const ended = await recording()
  const over = { ok: false, error: failure('REFUSED', { retriable: false }) } as const
  vi.spyOn(ended.main, 'request').mockResolvedValue(over)
  ended.sent(refused)
  await ended.settle()
  expect(ended.store.state).toMatchObject({ phase: 'idle', ended: 'm1' })
  expect(ended.world.closed).toBe(1)

  const gone = await recording()
  const missing = { ok: false, error: failure('NOT_FOUND', { retriable: false }) } as const
  vi.spyOn(gone.main, 'request').mockResolvedValue(missing)
  gone.sent(refused)
  await gone.settle()
  expect(gone.store.state.phase).toBe('idle')
})

test('continues a recording whose main restarted: reopens the meeting and sends its audio', async () => {
  const { store, main, sent, settle, world } = await recording()
  sent(refused)
  await settle()
  expect(main.requests.filter(({ route }) => route === 'meetings.reopen')).toHaveLength(1)
  expect(store.state).toMatchObject({ phase: 'recording', meetingId: 'm1' })
  expect(world).toMatchObject({ closed: 0, hurried: 1 })
})

test('retries while main does not respond yet, and reports a pause again', async () => {
  vi.useFakeTimers()
  const { store, main, sent, world } = await recording()
  store.pause()
  let tries = 0
  const request = main.request.bind(main)
  vi.spyOn(main, 'request').mockImplementation(async (route, payload) => {
    if (route !== 'meetings.reopen' || ++tries > 2) return request(route, payload)
    return { ok: false, error: failure('INTERNAL', { retriable: true }) }
  })
  sent(refused)
  sent({ ...refused, state: 'retrying' })
  sent(refused)
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(tries).toBe(3)
  expect(world).toMatchObject({ closed: 0, hurried: 1 })
  expect(main.requests.at(-1)).toMatchObject({
    route: 'meetings.capture',
    payload: { id: 'm1', event: { type: 'paused', atMs: 2000 } },
  })
})

test('renames the meeting while it is recorded, and shows the name before if that fails', async () => {
  const { store, main, settle } = await recording()
  main.answer('library.rename', ({ title }: { title: string }) => ({ id: 'm1', title }))
  await store.rename('  Planning ')
  expect(store.state.title).toBe('Planning')
  expect(main.requests.at(-1)).toMatchObject({
    route: 'library.rename',
    payload: { id: 'm1', title: 'Planning' },
  })
  vi.spyOn(main, 'request').mockResolvedValue({ ok: false, error: failure('DISK_FULL') })
  await store.rename('Lost')
  await settle()
  expect(store.state).toMatchObject({ title: 'Planning', failure: { code: 'DISK_FULL' } })
})
