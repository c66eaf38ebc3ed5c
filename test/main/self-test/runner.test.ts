import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageCheckRequest } from '../../../src/shared/contract/selfTest.ts'
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
/** A test whose pages answer all requests at once. */
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

test('runs every check in order, reports each, and returns figures', async () => {
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

test('reports a thrown error only by its code, without data that could contain a path', async () => {
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

test('fails a hanging check after its time limit, aborts it and runs the next ones', async () => {
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

test('reports a slow page check as slow, with matching advice', async () => {
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

test('ends within the total time limit even if every check hangs', async () => {
  const hangs = (): Promise<CheckOutcome> => new Promise(() => {})
  const all = Object.fromEntries(Object.keys(core()).map((id) => [id, hangs]))
  const { selfTest } = answering({ core: core(all), hostCheck: hangs })
  selfTest.start({ page: null, pages: true })
  await vi.advanceTimersByTimeAsync(maxSelfTestMs + 1000)
  expect(selfTest.state().run?.state).toBe('done')
  expect(selfTest.state().run?.ms).toBeLessThanOrEqual(maxSelfTestMs + 1000)
  expect(selfTest.state().run?.results).toHaveLength(checkIds.length)
})

test('waits the full time only once for an unresponsive page, then fails immediately', async () => {
  const { selfTest, asks } = build()
  selfTest.start({ page: null, pages: true })
  await vi.runAllTimersAsync()
  expect(resultOf(selfTest, 'page')).toMatchObject({ result: 'fail', note: 'noPage' })
  expect(resultOf(selfTest, 'upload')).toMatchObject({ result: 'fail', note: 'noPage', ms: 0 })
  // Requested repeatedly meanwhile: a page may still be loading.
  expect(asks.length).toBeGreaterThan(10)
  expect(new Set(asks.map(({ check }) => check))).toEqual(new Set(['page']))
})

test('accepts an answer only for the current check and run', async () => {
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

test('reports page checks as unavailable, not failed, without pages and a window', async () => {
  const { selfTest } = build({ hostCheck: undefined })
  selfTest.start({ page: null, pages: false })
  await vi.runAllTimersAsync()
  const { report } = selfTest.state()
  expect(report?.failed).toBe(0)
  expect(report?.unavailable).toBe(checkIds.filter((id) => checks[id].place !== 'core').length)
})

test('runs one test at a time; stopping ends it, deletes its library and marks it incomplete', async () => {
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

test('serves files of the temporary library only while it exists', async () => {
  const { selfTest } = build()
  const media = () => selfTest.respond(new Request('http://127.0.0.1/media/self-test-x'), 'x')
  const put = () =>
    selfTest.take(new Request('http://127.0.0.1/self-test/intake', { method: 'PUT', body: 'x' }))
  expect([(await media()).status, (await put()).status]).toEqual([404, 404])
})
