import { effectScope } from 'vue'
import { expect, test } from 'vitest'
import type { Reply } from '../../src/shared/contract/reply.ts'
import { createLatest, useLatest } from '../../src/renderer/src/kit/use-latest.ts'

const ok = (data: string): Reply<string> => ({ ok: true, data })
const failed: Reply<string> = {
  ok: false,
  error: { code: 'INTERNAL', message: '', retriable: true, at: 0 },
}

/** Requests that the test answers one by one, in any order. */
function openRequests(options?: { readonly keep: boolean }) {
  const answers: ((reply: Reply<string>) => void)[] = []
  const scope = effectScope()
  const latest = scope.run(() =>
    useLatest<string>(() => new Promise((answer) => answers.push(answer)), options),
  )
  if (!latest) throw new Error('no scope')
  return { ...latest, answers, scope }
}

test('ignores the reply to an earlier request', async () => {
  const { data, busy, load, answers } = openRequests()
  const replies = [load(), load()]
  answers[1]?.(ok('second'))
  expect(await replies[1]).toEqual(ok('second'))
  answers[0]?.(ok('first'))
  expect(await replies[0]).toBeNull()
  expect(data.value).toBe('second')
  expect(busy.value).toBe(false)
})

test.each([
  [true, 'known'],
  [false, null],
])('after a failure, with keep = %s, shows %s', async (keep, shown) => {
  const { data, failure, load, answers } = openRequests({ keep })
  const first = load()
  answers[0]?.(ok('known'))
  await first
  const second = load()
  answers[1]?.(failed)
  await second
  expect(data.value).toBe(shown)
  expect(failure.value).toMatchObject({ code: 'INTERNAL' })
})

test('ignores the awaited reply once cleared, and once its component is gone', async () => {
  const { data, busy, load, clear, answers, scope } = openRequests()
  const first = load()
  clear()
  expect(busy.value).toBe(false)
  answers[0]?.(ok('late'))
  expect(await first).toBeNull()
  const second = load()
  scope.stop()
  answers[1]?.(ok('later'))
  expect(await second).toBeNull()
  expect(data.value).toBeNull()
})

test('tells work whether it is still the latest', () => {
  const latest = createLatest()
  const first = latest.start()
  const alongside = latest.current()
  expect([first(), alongside()]).toEqual([true, true])
  const second = latest.start()
  expect([first(), alongside(), second()]).toEqual([false, false, true])
  latest.cancel()
  expect(second()).toBe(false)
  expect(latest.current()()).toBe(true)
})
