import { expect, test, vi } from 'vitest'
import { ref } from 'vue'
import {
  anyMessage,
  messageQuery,
} from '../../../../src/renderer/src/domains/chats/search/filter.ts'
import { messageLocation } from '../../../../src/renderer/src/domains/chats/search/hit-location.ts'
import { useMessageSearch } from '../../../../src/renderer/src/domains/chats/search/use-message-search.ts'
import { spanFrom } from '../../../../src/renderer/src/domains/chats/search/when.ts'
import { rendererSetup } from '../../stores.ts'

const noon = new Date('2026-03-30T12:00:00').getTime()
const day = (text: string): number => new Date(`${text}T00:00:00`).getTime()

test('begins time spans with a local day, also across a clock change', () => {
  expect(spanFrom('any', noon)).toBeUndefined()
  expect(spanFrom('day', noon)).toBe(day('2026-03-30'))
  expect(spanFrom('week', noon)).toBe(day('2026-03-24'))
  expect(spanFrom('month', noon)).toBe(day('2026-03-01'))
  expect(spanFrom('year', noon)).toBe(day('2025-03-31'))
})

test('includes only the filters that are set in a search', () => {
  expect(messageQuery('bees', anyMessage, { now: noon, limit: 20 })).toEqual({
    query: 'bees',
    ranked: false,
    limit: 20,
  })
  const filter = { who: 'agent', role: 'user', span: 'day', ranked: true } as const
  expect(messageQuery('bees', filter, { now: noon, limit: 20 })).toEqual({
    query: 'bees',
    ranked: true,
    limit: 20,
    who: 'agent',
    role: 'user',
    from: day('2026-03-30'),
  })
})

test('searches when typing pauses or a filter changes, and drops outdated results', async () => {
  vi.useFakeTimers()
  const { main, run, client } = rendererSetup()
  await client.request('app.info', {})
  const waiting: ((hits: readonly unknown[]) => void)[] = []
  const others = main.request
  main.request = (route, payload) =>
    route === 'chats.search'
      ? new Promise((resolve) =>
          waiting.push((hits) =>
            resolve({ ok: true, data: { hits, more: true, tookMs: 1 } } as never),
          ),
        )
      : others(route, payload)
  const query = ref('b')
  const filter = ref(anyMessage)
  const search = run(() => useMessageSearch(query, filter))
  query.value = 'be'
  await vi.advanceTimersByTimeAsync(20)
  query.value = 'bees'
  await vi.advanceTimersByTimeAsync(200)
  expect(waiting.length).toBe(1)
  filter.value = { ...anyMessage, role: 'user' }
  await vi.advanceTimersByTimeAsync(200)
  expect(waiting.length).toBe(2)
  waiting[1]?.(['second'])
  await vi.advanceTimersByTimeAsync(1)
  waiting[0]?.(['first'])
  await vi.advanceTimersByTimeAsync(1)
  expect(search.reply.value?.hits).toEqual(['second'])
  expect(search.canGrow.value).toBe(true)
  void search.grow()
  await vi.advanceTimersByTimeAsync(1)
  waiting[2]?.(['second', 'third'])
  await vi.advanceTimersByTimeAsync(1)
  expect(search.reply.value?.hits.length).toBe(2)
  expect(search.canGrow.value).toBe(false)
  query.value = ' '
  await vi.advanceTimersByTimeAsync(200)
  expect(search.reply.value).toBeNull()
  vi.useRealTimers()
})

test('links a match to its chat at the message, with the words', () => {
  const place = messageLocation({ conversationId: 'c-1', messageId: 'm-9' }, 'two words')
  expect(place).toEqual({
    name: 'chats',
    params: { id: 'c-1' },
    query: { at: 'm-9', q: 'two words' },
  })
})
