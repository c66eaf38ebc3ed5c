import type { PageCheckRequest, SelfTestState } from '../../shared/contract/selfTest.ts'
import {
  checkIds,
  checks as plans,
  cleanOutcome,
  maxSelfTestMs,
  reportOf,
  type CheckOutcome,
  type CheckResult,
  type CoreCheckId,
  type HostCheckId,
  type PageCheckId,
  type SelfTestReport,
  type SelfTestRun,
} from '../../shared/self-test/checks.ts'
import type { CheckId } from '../../shared/self-test/messages.ts'
import { selfTestMedia } from '../platform/bridge/serve-page.ts'
import type { Ids } from '../deps.ts'
import { AppError } from '../errors.ts'
import { broke, fail, unavailable, type Check } from './check.ts'
import { toneWav } from './samples.ts'
import { scratchRequest, type Scratch } from './temporary-folder.ts'

/** The self-test as used by routes and the host. */
export interface SelfTest {
  state(): SelfTestState
  /** Throws REFUSED while a run is in progress. */
  start(request: { readonly page: string | null; readonly pages: boolean }): SelfTestState
  cancel(): SelfTestState
  /** Receives the outcome of a page's check; ignored when no check waits for it. */
  answer(runId: string, check: PageCheckId, outcome: CheckOutcome): void
  /** Receives a file that a page uploads to the temporary library; 404 when there is none. */
  take(request: Request): Promise<Response>
  /** Serves a file of the temporary library. */
  respond(request: Request, mediaId: string): Promise<Response>
  /** Stops the current run and deletes the temporary library. */
  shutdown(): Promise<void>
}

export interface SelfTestDeps {
  readonly core: Readonly<Record<CoreCheckId, Check>>
  /** Absent where the host has nothing to check. */
  readonly hostCheck?: ((id: HostCheckId) => Promise<CheckOutcome>) | undefined
  openScratch(): Promise<Scratch>
  /** Sends a request to the pages; repeated until one answers, since a page may still be loading. */
  ask(ask: PageCheckRequest): void
  onChange(run: SelfTestRun): void
  readonly app: Pick<SelfTestReport, 'version' | 'platform' | 'host'>
  readonly ids: Ids
  /** Monotonic time in milliseconds. */
  now(): number
}

const retryAfterMs = 500

interface Waiting {
  readonly check: PageCheckId
  resolve(outcome: CheckOutcome): void
}

/** Runs the checks one after the other, each within its own time limit, all within {@link maxSelfTestMs}. */
export function createSelfTest(deps: SelfTestDeps): SelfTest {
  let run: SelfTestRun | null = null
  let stop: AbortController | null = null
  let opening: Promise<Scratch> | null = null
  let waiting: Waiting | null = null
  let running: Promise<void> = Promise.resolve()

  const scratch = (): Promise<Scratch> => (opening ??= deps.openScratch())
  const closeScratch = async (): Promise<void> => {
    const opened = opening
    opening = null
    await opened?.then((each) => each.close()).catch(() => {})
  }

  const become = (change: Partial<SelfTestRun>): void => {
    if (!run) return
    run = { ...run, ...change }
    deps.onChange(run)
  }

  const state = (): SelfTestState => ({
    run,
    report: run && run.state !== 'running' ? reportOf(run, deps.app) : null,
  })

  /** Requests the check from the page until it answers or the signal is aborted. */
  const requestPage = async (
    check: PageCheckId,
    page: string | null,
    signal: AbortSignal,
  ): Promise<CheckOutcome> => {
    const mediaId = check === 'media' || check === 'playback' ? await sampleMedia() : ''
    const answer = Promise.withResolvers<CheckOutcome>()
    waiting = { check, resolve: answer.resolve }
    const ask = (): void => deps.ask({ runId: run?.id ?? '', check, page, mediaId })
    const timer = setInterval(ask, retryAfterMs)
    const onAbort = (): void => answer.resolve(fail('noPage'))
    signal.addEventListener('abort', onAbort, { once: true })
    ask()
    try {
      return await answer.promise
    } finally {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
      waiting = null
    }
  }

  const sampleMedia = async (): Promise<string> =>
    selfTestMedia + (await (await scratch()).intake('self-test.wav', toneWav(2))).id

  const outcomeOf = async (
    id: CheckId,
    request: { readonly page: string | null; readonly pages: boolean },
    signal: AbortSignal,
  ): Promise<CheckOutcome> => {
    if (isHost(id))
      return deps.hostCheck ? deps.hostCheck(id) : Promise.resolve(unavailable('needsWindow'))
    if (!isPage(id)) return deps.core[id]({ signal, scratch })
    if (!request.pages) return unavailable('needsPage')
    const isThere = run?.results.find((result) => result.id === 'page')?.result !== 'fail'
    return isThere ? requestPage(id, request.page, signal) : fail('noPage')
  }

  /** Runs one check within its time limit; null when the whole test was stopped meanwhile. */
  const bounded = async (
    id: CheckId,
    request: { readonly page: string | null; readonly pages: boolean },
    left: number,
    all: AbortSignal,
  ): Promise<CheckOutcome | null> => {
    const limit = Math.min(plans[id].limitMs, left)
    const late = fail(id === 'page' ? 'noPage' : 'tooSlow', {
      seconds: Math.round(limit / 1000),
    })
    if (limit <= 0) return fail('tooSlow', { seconds: maxSelfTestMs / 1000 })
    const own = new AbortController()
    const over = Promise.withResolvers<CheckOutcome | null>()
    const timer = setTimeout(() => over.resolve(late), limit)
    const onStop = (): void => over.resolve(null)
    all.addEventListener('abort', onStop, { once: true })
    try {
      const outcome = outcomeOf(id, request, own.signal).catch(broke)
      return await Promise.race([outcome, over.promise])
    } finally {
      clearTimeout(timer)
      all.removeEventListener('abort', onStop)
      own.abort()
    }
  }

  const runAll = async (
    request: { readonly page: string | null; readonly pages: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const began = deps.now()
    for (const id of checkIds) {
      become({ current: id })
      const from = deps.now()
      const outcome = await bounded(id, request, maxSelfTestMs - (from - began), signal)
      if (!outcome || signal.aborted) break
      const ms = Math.round(deps.now() - from)
      const result: CheckResult = { id, ...cleanOutcome(outcome), ms }
      become({ results: [...(run?.results ?? []), result] })
    }
    await closeScratch()
    become({
      state: signal.aborted ? 'cancelled' : 'done',
      current: null,
      ms: Math.round(deps.now() - began),
    })
  }

  const take = async (request: Request): Promise<Response> => {
    if (!opening && run?.state !== 'running') return nothing()
    const { fetch } = await scratch()
    const { headers, body, signal } = request
    return fetch(
      scratchRequest('/intake', {
        method: 'PUT',
        headers,
        body,
        signal,
        duplex: 'half',
      }),
    )
  }

  return {
    state,
    start(request) {
      if (run?.state === 'running') throw new AppError('REFUSED', 'A self-test is already running')
      stop = new AbortController()
      run = { id: deps.ids(), state: 'running', current: null, results: [], ms: 0 }
      running = runAll(request, stop.signal)
      return state()
    },
    cancel() {
      stop?.abort()
      return state()
    },
    answer(runId, check, outcome) {
      if (runId === run?.id && waiting?.check === check) waiting.resolve(outcome)
    },
    take,
    async respond(request, mediaId) {
      if (!opening) return nothing()
      const { fetch } = await scratch()
      const { method, headers, signal } = request
      return fetch(scratchRequest(`/media/${mediaId}`, { method, headers, signal }))
    },
    async shutdown() {
      stop?.abort()
      await running
      await closeScratch()
    },
  }
}

const isHost = (id: CheckId): id is HostCheckId => plans[id].place === 'host'
const isPage = (id: CheckId): id is PageCheckId => plans[id].place === 'page'

const nothing = (): Response => new Response('Not found', { status: 404 })
