import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killed } from '../../fixtures/killed.ts'
import { testApp } from '../../fixtures/app.ts'
import { done, key, useTaskSetup } from './task-setup.ts'

const current = useTaskSetup()

test.each([
  ['stored, and before it is reported', 'task.changed', 0],
  ['received, and before it is stored', 'activity.added', 1],
])('loses nothing when killed while the response is %s', async (_, when, again) => {
  const fixture = current()
  await fixture.lectern.stop()
  fixture.answers = [done]
  const file = join(import.meta.dirname, 'task-killed.ts')
  const child = spawn(
    process.execPath,
    [file, fixture.lectern.home, fixture.accountId, key, 'task-1', when],
    {
      stdio: 'inherit',
    },
  )
  await killed(child)
  expect(fixture.questions()).toBe(1)
  fixture.lectern = await testApp({ home: fixture.lectern.home, keychain: fixture.keychain })
  if (again > 0) await fixture.whenState('succeeded')
  const [task] = (await fixture.lectern.call('tasks.list', {})).tasks
  expect(task?.state).toBe('succeeded')
  const { result } = await fixture.lectern.call('tasks.get', { id: task?.id ?? '' })
  expect(result?.videos[0]?.url).toBe('https://v')
  expect(fixture.questions()).toBe(1 + again)
})
