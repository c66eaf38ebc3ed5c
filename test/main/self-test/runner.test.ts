import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageCheckRequest } from '../../../src/shared/bridge/selfTest.ts'
import {
  checkIds,
  checks,
  maxSelfTestMs,
  type CheckOutcome,
  type CoreCheckId,
  type SelfTestRun,
} from '../../../src/shared/self-test/checks.ts'
import type { Check } from '../../../src/main/self-test/check.ts'
import type { Scratch } from '../../../src/main/self-test/temporary-folder.ts'
import { createSelfTest, type SelfTestDeps } from '../../../src/main/self-test/self-test.ts'

const ok: CheckOutcome = { result: 'pass', note: 'works' }
const coreIds = checkIds.filter((id): id is CoreCheckId => checks[id].place === 'core')
const core = (change: Partial<Record<CoreCheckId, Check>> = {}): SelfTestDeps['core'] =>
  ({
    ...Object.fromEntries(coreIds.map((id) => [id, async () => ok])),
    ...change,
  }) as Partial<Record<CoreCheckId, Check>> as Record<CoreCheckId, Check>

const closed = { count: 0 }
const scratch = {
  intake: async () => ({ id: 'media' }),
  close: async () => void closed.count++,
} as unknown as Scratch

function build(change: Partial<SelfTestDeps> = {}) {
  const asks: PageCheckRequest[] = []
  const runs: SelfTestRun[] = []
  const selfTest = createSelfTest({
    core: core(),
    hostCheck: async () => ok,
    openScratch: async () => scratch,
    ask: (ask) => void asks.push(ask),
    onChange: (run) => void runs.push(run),
    app: { version: '1.2.3', platform: 'linux', host: 'electron' },
    ids: () => `run-${runs.length}`,
    now: () => Date.now(),
    ...change,
  })
  return { selfTest, asks, runs }
}
/** A test whose pages answer everything at once. */
function answering(change: Partial<SelfTestDeps> = {}) {
  const built = build({
    ...change,
    ask: (ask) => built.selfTest.answer(ask.runId, ask.check, ok),
  })
  return built
}
const resultOf = (selfTest: ReturnType<typeof build>['selfTest'], id: string) =>
  selfTest.state().run?.results.find((result) => result.id === id)

beforeEach(() => {
  vi.useFakeTimers()
  closed.count = 0
})
afterEach(() => vi.useRealTimers())

test('runs every check in its order, tells of each, and reports figures', async () => {
  const { selfTest, runs } = answering()
  selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  expect(selfTest.state().run).toMatchObject({ state: 'done', current: null })
  expect(selfTest.state().report).toMatchObject({
    complete: true,
    version: '1.2.3',
    passed: checkIds.length,
    failed: 0,
    unavailable: 0,
  })
  expect(runs.at(-1)?.results.map(({ id }) => id)).toEqual(checkIds)
  expect(selfTest.state().report?.checks.every(({ action }) => action === undefined)).toBe(true)
})

test('what is thrown fails by its code alone; what could name a place is left out', async () => {
  const { selfTest } = answering({
    core: core({
      pdf: async () => {
        throw Object.assign(new Error('no such file /home/ada/secret.pdf'), { code: 'ENOENT' })
      },
      search: async () => {
        throw new Error('/home/ada')
      },
      speech: async () => ({ result: 'fail', note: 'broke', values: { code: '/home/ada/x' } }),
    }),
  })
  selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  expect(resultOf(selfTest, 'pdf')).toMatchObject({ result: 'fail', values: { code: 'ENOENT' } })
  expect(resultOf(selfTest, 'search')).toMatchObject({
    result: 'fail',
    values: { code: 'INTERNAL' },
  })
  expect(JSON.stringify(selfTest.state())).not.toContain('ada')
  const pdfCheck = selfTest.state().report?.checks.find(({ id }) => id === 'pdf')
  expect(pdfCheck).toMatchObject({ detail: 'Failed: ENOENT.' })
  expect(pdfCheck?.action).toMatch(/^Reinstall/)
})

test('a check that hangs fails after its time and the next ones run; it is told to stop', async () => {
  let stopped = false
  const { selfTest } = answering({
    core: core({
      pdf: ({ signal }) => {
        signal.addEventListener('abort', () => (stopped = true))
        return new Promise(() => {})
      },
    }),
  })
  selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  expect(resultOf(selfTest, 'pdf')).toMatchObject({
    result: 'fail',
    note: 'tooSlow',
    values: { seconds: checks.pdf.limitMs / 1000 },
  })
  expect(stopped).toBe(true)
  expect(resultOf(selfTest, 'search')?.result).toBe('pass')
})

test('a check of the page that is slow is told as slow, with advice that fits', async () => {
  const built = build({
    ask({ runId, check }) {
      if (check !== 'upload') built.selfTest.answer(runId, check, ok)
    },
  })
  built.selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  const uploadCheck = built.selfTest.state().report?.checks.find(({ id }) => id === 'upload')
  expect(uploadCheck).toMatchObject({
    result: 'fail',
    detail: 'No result after 120 s.',
    action: 'Close other programs, then try again.',
  })
})

test('when everything hangs, the whole ends within its time', async () => {
  const hangs = (): Promise<CheckOutcome> => new Promise(() => {})
  const all = Object.fromEntries(Object.keys(core()).map((id) => [id, hangs]))
  const { selfTest } = answering({ core: core(all), hostCheck: hangs })
  selfTest.start({ page: null, pages: true })
  await vi.advanceTimersByTimeAsync(maxSelfTestMs + 1000)
  expect(selfTest.state().run?.state).toBe('done')
  expect(selfTest.state().run?.ms).toBeLessThanOrEqual(maxSelfTestMs + 1000)
  expect(selfTest.state().run?.results).toHaveLength(checkIds.length)
})

test('a page that does not answer fails once in full and then at once', async () => {
  const { selfTest, asks } = build()
  selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  expect(resultOf(selfTest, 'page')).toMatchObject({ result: 'fail', note: 'noPage' })
  expect(resultOf(selfTest, 'upload')).toMatchObject({ result: 'fail', note: 'noPage', ms: 0 })
  // Asked again and again meanwhile: a page may still be loading.
  expect(asks.length).toBeGreaterThan(10)
  expect(new Set(asks.map(({ check }) => check))).toEqual(new Set(['page']))
})

test('only what is asked now can be answered, and only for this run', async () => {
  const { selfTest, asks } = build()
  selfTest.start({ page: 'page-one-0001', pages: true })
  await vi.advanceTimersByTimeAsync(100)
  const { runId = '' } = asks[0] ?? {}
  expect(asks[0]).toMatchObject({ check: 'page', page: 'page-one-0001' })
  selfTest.answer('another run', 'page', ok)
  selfTest.answer(runId, 'media', ok)
  await vi.advanceTimersByTimeAsync(100)
  expect(selfTest.state().run?.results).toEqual([])
  selfTest.answer(runId, 'page', ok)
  await vi.advanceTimersByTimeAsync(100)
  expect(resultOf(selfTest, 'page')?.result).toBe('pass')
  await vi.runAllTimersAsync()
})

test('without pages and without a window their checks are unavailable, not failed', async () => {
  const { selfTest } = build({ hostCheck: undefined })
  selfTest.start({ page: null, pages: false })
  await vi.runAllTimersAsync()
  const { report } = selfTest.state()
  expect(report?.failed).toBe(0)
  expect(report?.unavailable).toBe(checkIds.filter((id) => checks[id].place !== 'core').length)
})

test('one at a time; stopping ends it at once, deletes its library and says that it is not complete', async () => {
  const { selfTest } = answering({ core: core({ pdf: () => new Promise(() => {}) }) })
  selfTest.start({ page: null, pages: true })
  expect(() => selfTest.start({ page: null, pages: true })).toThrow(
    expect.objectContaining({ code: 'REFUSED' }),
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(selfTest.state().run?.current).toBe('pdf')
  selfTest.cancel()
  await vi.advanceTimersByTimeAsync(0)
  expect(selfTest.state().run?.state).toBe('cancelled')
  expect(selfTest.state().report?.complete).toBe(false)
  expect(closed.count).toBe(1)
  selfTest.start({ page: null, pages: true })
  await selfTest.shutdown()
  expect(selfTest.state().run?.state).toBe('cancelled')
})

test('files reach the throw-away library only while there is one', async () => {
  const { selfTest } = build()
  const media = () => selfTest.respond(new Request('http://127.0.0.1/media/self-test-x'), 'x')
  const put = () =>
    selfTest.take(new Request('http://127.0.0.1/self-test/intake', { method: 'PUT', body: 'x' }))
  expect([(await media()).status, (await put()).status]).toEqual([404, 404])
})
