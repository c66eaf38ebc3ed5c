import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ElectronCore } from '../../../../src/main/hosts/electron/core.ts'
import { testAndExit } from '../../../../src/main/hosts/electron/self-test.ts'
import type { AppWindows } from '../../../../src/main/hosts/electron/windows.ts'
import type { PageConnection } from '../../../../src/main/host.ts'
import { stopLimits } from '../../../../src/main/hosts/support/stopping.ts'
import type { SelfTestRun } from '../../../../src/shared/self-test/checks.ts'
import { calls, lastCall, order } from './electron-mock.ts'
import { createTestDeps } from './quick-deps.ts'

vi.mock('electron', () => import('./electron-mock.ts'))

const step = (name: string) => (): void => void calls.push({ name, args: [] })
const run: SelfTestRun = { id: 'run', state: 'done', current: null, results: [], ms: 1 }

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  calls.length = 0
})

/** Runs a successful self-test with an app that ends as `stop` does; returns the steps at its end. */
async function end(stop: () => Promise<void>): Promise<readonly string[]> {
  const lectern = {
    connect: ({ push }: PageConnection) =>
      queueMicrotask(() => push({ channel: 'app', event: { type: 'self-test.changed', run } })),
    disconnect() {},
    request: async () => ({ ok: true, data: {} }),
    stop,
    kill: step('core.kill'),
  } as unknown as ElectronCore
  const windows = { current: () => null } as unknown as AppWindows
  const lock = { announce() {}, release: step('lock.release') }
  const done = testAndExit(lectern, lock, createTestDeps('/home'), windows, { report: null })
  await vi.runAllTimersAsync()
  await done
  expect(lastCall('app.exit')).toEqual([0])
  return order()
}

test('waits for the app as long as it may take to stop', async () => {
  const slow = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, stopLimits.app - 1))
    step('core.stopped')()
  }
  expect(await end(slow)).toEqual(['core.stopped', 'lock.release', 'app.exit'])
})

test('kills an app that does not stop, and locks the data folder until then', async () => {
  expect(await end(() => new Promise(() => {}))).toEqual(['core.kill', 'app.exit'])
})
