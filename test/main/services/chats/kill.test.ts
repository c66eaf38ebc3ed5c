import { expect, test } from 'vitest'
import { crashTestChat } from '../../../crash-tests/chat.ts'

test('an app that is killed while answers come loses nothing that a page has seen, and sends nothing without the reader', async () => {
  const { kills, events } = await crashTestChat({ rounds: 1, seed: 12 })
  expect(kills).toBe(1)
  expect(events).toBeGreaterThan(0)
})
