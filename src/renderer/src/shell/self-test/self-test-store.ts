import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/contract/reply.ts'
import type { PageCheckRequest, SelfTestState } from '../../../../shared/contract/selfTest.ts'
import {
  checkIds,
  type SelfTestReport,
  type SelfTestRun,
} from '../../../../shared/self-test/checks.ts'
import { callerId, useClient } from '../../lib/bridge/use-client.ts'

/** The self-test: its progress, its report, and this page's checks. */
export const useSelfTest = defineStore('self-test', () => {
  const client = useClient()
  const pageId = callerId()
  const run = shallowRef<SelfTestRun | null>(null)
  const report = shallowRef<SelfTestReport | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** 0 to 1 while it runs. */
  const progress = computed(() =>
    run.value?.state === 'running' ? run.value.results.length / checkIds.length : null,
  )

  const take = (reply: Reply<SelfTestState>): void => {
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return
    run.value = reply.data.run
    report.value = reply.data.report
  }
  const load = async (): Promise<void> => take(await client.request('selfTest.state', {}))
  /** Must be called directly in a click handler: system audio can be opened only then. */
  const start = async (): Promise<void> =>
    take(await client.request('selfTest.start', { page: pageId }))
  const cancel = async (): Promise<void> => take(await client.request('selfTest.cancel', {}))

  client.onEvent((event) => {
    if (event.type === 'self-test.ask') void answer(event.ask)
    if (event.type !== 'self-test.changed') return
    run.value = event.run
    if (event.run.state !== 'running') void load()
  })

  /** Checks that this page has started: they are requested again until they are answered. */
  const begun = new Set<string>()
  async function answer(ask: PageCheckRequest): Promise<void> {
    const key = `${ask.runId} ${ask.check}`
    if ((ask.page !== null && ask.page !== pageId) || begun.has(key)) return
    begun.add(key)
    const [{ runPageCheck }, { pageWorld }, info] = await Promise.all([
      import('./page-checks.ts'),
      import('./page-world.ts'),
      client.request('app.info', {}),
    ])
    if (!info.ok) return void begun.delete(key)
    const outcome = await runPageCheck(ask, pageWorld(client, info.data))
    await client.request('selfTest.answer', { runId: ask.runId, check: ask.check, outcome })
  }

  return { run, report, failure, progress, load, start, cancel }
})
