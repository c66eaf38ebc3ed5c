import { expect, test } from 'vitest'
import { crashTestChat } from '../../../../crash-tests/chat.ts'

test('a killed app loses nothing that a page has shown, and sends nothing automatically', async () => {
  const { kills, events } = await crashTestChat({ rounds: 1, seed: 12, from: 'seen' })
  expect(kills).toBe(1)
  expect(events).toBeGreaterThan(0)
})
