import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageQuery } from '../../../../../src/main/domains/chats/store/chats-types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { agent, aMessage, assistant, newChat } from './fixture.ts'

const folder = temporaryHome()
let store: Store

const start = Date.UTC(2024, 0, 1)
const day = 86_400_000
/** Nearly every recent message contains words with `th`, some `qu`; old ones almost never, and those texts are long. */
const lately = ['the', 'them', 'then', 'other', 'and', 'andante', 'zebra', '会议', 'quick', '。']
const longAgo = ['lorem', 'ipsum', 'dolor', 'zebra', '会议']
const drawn = (words: readonly string[], numRuns: number, seed: number): readonly string[] =>
  fc.sample(
    fc
      .array(fc.constantFrom(...words), { minLength: 2, maxLength: 12 })
      .map((each) => each.join(' ')),
    { numRuns, seed },
  )
const old = drawn(longAgo, 320, 3).map(
  (text, n) => `${text} ${'filler '.repeat(500)}${n % 80 === 0 ? ' theory' : ''}`,
)
const texts = [...old, ...drawn(lately, 500, 5)]
const who = ['agent', 'as-1'] as const
const messages = texts.map((text, n) => ({
  id: `m${n}`,
  text,
  conversationId: `c${n % 5}`,
  who: who[(n % 5) % 2] ?? 'agent',
  role: n % 3 === 0 ? ('user' as const) : ('assistant' as const),
  at: start + n * day,
}))

beforeAll(async () => {
  store = await openStore(storeOptions(folder.home))
  store.transaction(() => {
    for (let n = 0; n < 5; n++)
      newChat(store, `c${n}`, {
        settings: n % 2 === 0 ? agent : assistant('as-1'),
        at: start + n,
        title: '-',
      })
    newChat(store, 'hidden', { temporary: true })
    newChat(store, 'binned')
    for (const [n, { id, text, conversationId, role, at }] of messages.entries())
      store.chats.add(aMessage(id, n < 5 ? null : `m${n - 5}`, { conversationId, text, role, at }))
    for (const conversationId of ['hidden', 'binned'])
      for (let n = 0; n < 20; n++)
        store.chats.add(
          aMessage(`${conversationId}${n}`, null, { conversationId, text: 'the then', at: start }),
        )
  })
  store.items.remove(['binned'], 5)
})

afterAll(async () => {
  await store.close()
  folder.remove()
})

/** Messages that contain every word, the last one as a prefix; newest first. */
function scanned(query: string, filter: Partial<MessageQuery> = {}): readonly string[] {
  const words = query.split(' ')
  const patterns = words.map((word, n) =>
    /^\w/.test(word)
      ? new RegExp(`\\b${word}${n === words.length - 1 ? '' : '\\b'}`)
      : new RegExp(word),
  )
  return messages
    .filter(
      ({ text, ...message }) =>
        patterns.every((pattern) => pattern.test(text)) &&
        (filter.who === undefined || message.who === filter.who) &&
        (filter.role === undefined || message.role === filter.role) &&
        message.at >= (filter.from ?? -Infinity) &&
        message.at < (filter.to ?? Infinity),
    )
    .map((message) => message.id)
    .toReversed()
}

const query = fc
  .tuple(
    fc.subarray(['zebra', '会议', 'the', 'andante', 'lorem', 'quick'], { maxLength: 2 }),
    fc.constantFrom('th', 'the', 'then', 'an', 'and', 'qu', 'ze', 'fi', 'lo', 'theo', 'xx', 't'),
  )
  .map(([words, open]) => [...words, open].join(' '))
const time = fc.option(
  fc.integer({ min: -5, max: 830 }).map((n) => start + n * day),
  { nil: undefined },
)
const filter = fc.record({
  who: fc.option(fc.constantFrom(...who), { nil: undefined }),
  role: fc.option(fc.constantFrom('user' as const, 'assistant' as const), { nil: undefined }),
  from: time,
  to: time,
})

test('a partial word finds what a scan finds, however common its prefix, under every filter', () =>
  fc.assert(
    fc.asyncProperty(query, filter, fc.constantFrom(1, 20, 60, 1000), async (sought, by, limit) => {
      const expected = scanned(sought, by)
      const { hits, more } = await store.chats.search({
        query: sought,
        ranked: false,
        limit,
        ...by,
      })
      expect(hits.map((hit) => hit.messageId)).toEqual(expected.slice(0, limit))
      expect(more).toBe(expected.length > limit)
      const best = await store.chats.search({ query: sought, ranked: true, limit, ...by })
      const ids = best.hits.map((hit) => hit.messageId)
      expect(ids).toHaveLength(Math.min(limit, expected.length))
      expect(expected).toEqual(expect.arrayContaining(ids))
    }),
    { numRuns: 300, seed: 17 },
  ))

test('the palette finds the same chats as a scan, by newest message, for any common prefix', () =>
  fc.assert(
    fc.asyncProperty(query, fc.constantFrom(2, 20), async (sought, limit) => {
      const newest = new Map<string, string>()
      for (const id of scanned(sought)) {
        const chat = messages[Number(id.slice(1))]?.conversationId ?? ''
        if (!newest.has(chat)) newest.set(chat, id)
      }
      const { hits } = await store.search.search({ query: sought, limit })
      expect(hits.map((hit) => hit.partId)).toEqual(Array.from(newest.values()).slice(0, limit))
    }),
    { numRuns: 150, seed: 19 },
  ))
