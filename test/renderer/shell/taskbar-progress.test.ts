import { expect, test } from 'vitest'
import { useWork } from '../../../src/renderer/src/domains/library/jobs/work-store.ts'
import { useShell } from '../../../src/renderer/src/lib/app-store.ts'
import {
  createTogether,
  useTaskbarProgress,
} from '../../../src/renderer/src/shell/use-taskbar-progress.ts'
import type { Meeting } from '../../../src/shared/model/meeting.ts'
import { meetingOf } from '../domains/audio/meetings/side-data.ts'
import { rendererSetup } from '../stores.ts'

test('shows the mean of all work in percent, never decreasing when a part is done', () => {
  const together = createTogether()
  expect(together(new Map())).toBeNull()
  expect(together(new Map([['a', 0.5]]))).toBe(0.5)
  expect(
    together(
      new Map([
        ['a', 0.9],
        ['b', 0.301],
      ]),
    ),
  ).toBe(0.6)
  expect(together(new Map([['b', 0.4]]))).toBe(0.7)
  expect(together(new Map([['b', 7]]))).toBe(1)
  expect(together(new Map())).toBeNull()
  expect(together(new Map([['c', 0.1]]))).toBe(0.1)
})

test('shows work of unknown length as indeterminate, without hiding known progress', () => {
  const together = createTogether()
  expect(together(new Map([['a', null]]))).toBe('unknown')
  expect(
    together(
      new Map([
        ['a', null],
        ['b', 0.5],
      ]),
    ),
  ).toBe(0.5)
  expect(together(new Map([['a', null]]))).toBe('unknown')
})

test('shows transcriptions and long exports until they are done', async () => {
  const { main, run, settle } = rendererSetup()
  const requests = (): unknown[] =>
    main.requests.filter(({ route }) => route === 'system.progress').map(({ payload }) => payload)
  run(useTaskbarProgress)
  const shell = run(useShell)
  await shell.load()
  if (shell.info) shell.info = { ...shell.info, host: 'electron' }
  await settle()
  const change = async (one: Partial<Meeting>): Promise<unknown> => {
    main.app({ type: 'meeting.changed', meeting: meetingOf(one) })
    await settle()
    return requests().at(-1)
  }
  expect(await change({ state: 'importing' })).toEqual({ progress: 'unknown' })
  expect(await change({ state: 'importing', importProgress: 0.4 })).toEqual({ progress: 0.4 })
  // It is waiting for the network: nothing is running.
  if (shell.connection) shell.connection = { ...shell.connection, waiting: 1 }
  await settle()
  expect(requests().at(-1)).toEqual({ progress: null })
  const jobs = run(useWork)
  main.answer('work.list', () => ({ work: [{ kind: 'export', id: 'e1', state: 'running' }] }))
  await jobs.load()
  await settle()
  expect(requests().at(-1)).toEqual({ progress: 'unknown' })
  main.answer('work.list', () => ({ work: [] }))
  await jobs.load()
  await settle()
  expect(requests().at(-1)).toEqual({ progress: null })
})
