import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageQuery } from '../../../../../src/main/domains/chats/store/chats-types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { addItem, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { agent, aMessage, assistant, newChat, turn, withChat } from './fixture.ts'

const folder = temporaryHome()
let store: Store

const han = Array.from('时间会议人工智能的是在鑫𠮷々')
const parts = [...han, ...han, '，', '。', ' ', '\n', 'meeting', ' the ', 'AI', 'café', '2026']
const texts = fc.sample(
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 40 }).map((each) => each.join('')),
  { numRuns: 400, seed: 7 },
)
const day = 86_400_000
const start = Date.UTC(2023, 10, 20)
const who = ['agent', 'as-1', '助手 "2"'] as const

/** Messages of the library, oldest first: three chats in turn, some two days between two messages. */
const messages = texts.map((text, n) => ({
  id: `m${n}`,
  text,
  who: who[n % 3] ?? 'agent',
  role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
  at: start + n * 2.3 * day,
}))

beforeAll(async () => {
  store = await openStore(storeOptions(folder.home))
  store.transaction(() => {
    for (const [n, each] of who.entries())
      newChat(store, `c${n}`, { settings: n === 0 ? agent : assistant(each) })
    for (const [n, { id, text, role, at }] of messages.entries())
      store.chats.add(
        aMessage(id, n < 3 ? null : `m${n - 3}`, { conversationId: `c${n % 3}`, text, role, at }),
      )
  })
})

afterAll(async () => {
  await store.close()
  folder.remove()
})

const found = async (query: Partial<MessageQuery>): Promise<readonly string[]> => {
  const reply = await store.chats.search({ query: '', ranked: false, limit: 1000, ...query })
  for (const hit of reply.hits) {
    const text = messages.find((message) => message.id === hit.messageId)?.text ?? ''
    expect(hit.ranges.length).toBeGreaterThan(0)
    expect(hit.snippet.isWellFormed()).toBe(true)
    expect(hit.offset).toBeLessThan(text.length)
  }
  return reply.hits.map((hit) => hit.messageId)
}

/** Results of scanning all messages, newest first. */
const scanned = (sought: string, filter: Partial<MessageQuery> = {}): readonly string[] =>
  messages
    .filter(
      (message) =>
        message.text.includes(sought) &&
        (filter.who === undefined || message.who === filter.who) &&
        (filter.role === undefined || message.role === filter.role) &&
        message.at >= (filter.from ?? -Infinity) &&
        message.at < (filter.to ?? Infinity),
    )
    .map((message) => message.id)
    .toReversed()

/** Chinese terms of one to eight characters, half of them taken from the texts. */
const term = fc.oneof(
  fc.array(fc.constantFrom(...han), { minLength: 1, maxLength: 8 }).map((each) => each.join('')),
  fc
    .tuple(fc.nat(texts.length - 1), fc.nat(40), fc.integer({ min: 1, max: 8 }))
    .map(([n, from, length]) => {
      const runs = (texts[n] ?? '').match(/[\p{Script=Han}]+/gu) ?? ['时']
      const run = Array.from(runs[from % runs.length] ?? '时')
      const at = from % run.length
      return run.slice(at, at + length).join('')
    }),
)
const time = fc.option(
  fc.integer({ min: -day, max: 950 * day }).map((ms) => start + ms),
  { nil: undefined },
)
const filter = fc.record({
  who: fc.option(fc.constantFrom(...who), { nil: undefined }),
  role: fc.option(fc.constantFrom('user', 'assistant'), { nil: undefined }),
  from: time,
  to: time,
})

test('Chinese terms of one to eight characters find exactly what a scan finds, for every filter', () =>
  fc.assert(
    fc.asyncProperty(term, filter, async (sought, filters) => {
      const query = { query: `"${sought}"`, ...filters }
      expect(await found(query)).toEqual(scanned(sought, filters))
      // Ranked results are the same in another order.
      expect((await found({ ...query, ranked: true })).toSorted()).toEqual(
        scanned(sought, filters).toSorted(),
      )
    }),
    { numRuns: 250, seed: 11 },
  ))

test('limits the number of results, and reports whether there are more', async () => {
  const all = scanned('的')
  for (const ranked of [false, true]) {
    const some = await store.chats.search({ query: '的', ranked, limit: 5 })
    expect(some).toMatchObject({ more: true, hits: { length: 5 } })
    const every = await store.chats.search({ query: '的', ranked, limit: all.length })
    expect(every).toMatchObject({ more: false, hits: { length: all.length } })
  }
  for (const query of ['', '  ', '，'])
    expect(await store.chats.search({ query, ranked: true, limit: 5 })).toMatchObject({
      hits: [],
      more: false,
    })
})

test('a result includes its position, and opens there', async () => {
  const sought = messages[9]?.text.match(/[\p{Script=Han}]{2}/u)?.[0] ?? ''
  const { hits } = await store.chats.search({ query: sought, ranked: false, limit: 1000 })
  const hit = hits.find((each) => each.messageId === 'm9')
  expect(hit).toMatchObject({
    conversationId: 'c0',
    title: 'Conversation c0',
    role: 'assistant',
    createdAt: messages[9]?.at,
    offset: messages[9]?.text.indexOf(sought),
  })
  const [from, to] = hit?.ranges[0] ?? [0, 0]
  expect(hit?.snippet.slice(from, to)).toBe(sought)
})

test('ranks shorter texts with more occurrences first', () =>
  withChat(async (other) => {
    const filler = 'some other words of no matter '
    other.transaction(() => {
      for (let n = 0; n < 60; n++)
        other.chats.add(aMessage(`f${n}`, null, { text: `${filler}${n}` }))
      other.chats.add(aMessage('much', null, { text: 'zebra, zebra and zebra' }))
      other.chats.add(aMessage('once', null, { text: `zebra ${filler.repeat(9)}` }))
    })
    const ids = async (ranked: boolean): Promise<readonly string[]> =>
      (await other.chats.search({ query: 'zebra', ranked, limit: 5 })).hits.map(
        (hit) => hit.messageId,
      )
    expect(await ids(true)).toEqual(['much', 'once'])
    expect(await ids(false)).toEqual(['once', 'much'])
  }))

test('ignores a very common word in ranking; alone, it lists the newest first', () =>
  withChat(async (other) => {
    const count = 1500
    other.transaction(() => {
      for (let n = 0; n < count; n++)
        other.chats.add(
          aMessage(`m${n}`, null, {
            text: `the the the ${n} ${n % 100 === 7 ? 'zebra '.repeat(n / 100) : ''}`,
          }),
        )
    })
    const ids = async (query: string, filters: Partial<MessageQuery> = {}) =>
      (await other.chats.search({ query, ranked: true, limit: 4, ...filters })).hits.map(
        (hit) => hit.messageId,
      )
    expect(await ids('the zebra')).toEqual(['m1407', 'm1307', 'm1207', 'm1107'])
    expect(await ids('the zebra', { who: 'agent' })).toEqual(['m1407', 'm1307', 'm1207', 'm1107'])
    expect(await ids('the zebra', { who: 'nobody' })).toEqual([])
    // The last word may be incomplete: a very common prefix filters, but is ignored in ranking too.
    expect(await ids('zebra th')).toEqual(['m1407', 'm1307', 'm1207', 'm1107'])
    expect(await ids('the')).toEqual(['m1499', 'm1498', 'm1497', 'm1496'])
  }))

test('does not find messages in Trash, and finds them again when restored', () =>
  withChat(async (other) => {
    turn(other, 1, null, ['a question of zebras', 'an answer'])
    const count = async (): Promise<readonly number[]> => [
      (await other.chats.search({ query: 'zebras', ranked: false, limit: 5 })).hits.length,
      (await other.chats.search({ query: 'zebras', ranked: true, limit: 5 })).hits.length,
      (await other.search.search({ query: 'zebras', limit: 5 })).hits.length,
    ]
    expect(await count()).toEqual([1, 1, 1])
    other.items.remove(['c'], 5)
    expect(await count()).toEqual([0, 0, 0])
    other.items.restore(['c'], 6)
    expect(await count()).toEqual([1, 1, 1])
  }))

test('finds words far into a long answer, also across chunk boundaries', () =>
  withChat(async (other) => {
    const filler = Array.from({ length: 30_000 }, (_, n) => `w${n}`).join(' ')
    const text = `${filler} 最后的斑马 ${'。'.repeat(20_000)}end zebra`
    turn(other, 1, null, ['a question', text])
    const offsetOf = async (query: string): Promise<number | undefined> =>
      (await other.chats.search({ query, ranked: false, limit: 5 })).hits[0]?.offset
    await expect.poll(() => offsetOf('zebra')).toBe(text.indexOf('zebra'))
    expect(await offsetOf('的斑马')).toBe(text.indexOf('的斑马'))
    for (let n = 0; n < 30_000; n += 487) {
      const seam = Math.min(text.length - 1, Math.round((n / 487) * 8064))
      const word = /\bw\d+(?= )/.exec(text.slice(seam - 3))?.[0]
      if (word !== undefined)
        expect(await offsetOf(`"${word}"`), word).toBe(text.indexOf(`${word} `))
    }
  }))

test('the palette finds chats by title and text, without duplicates, newest first among all items', () =>
  withChat(async (other) => {
    addItem(other, 'r1', 'A zebra', 'recorded', 500)
    for (let n = 0; n < 30; n++)
      turn(other, n, n === 0 ? null : `a${n - 1}`, ['zebra', 'zebra too'])
    newChat(other, 'both', { title: 'zebra', at: 1500 })
    turn(other, 'z', null, ['my zebra', 'none here'], 'both')
    newChat(other, 'titled', { title: 'All about the zebra', at: 2500 })
    newChat(other, 'gone', { at: 2600 })
    turn(other, 'g', null, ['zebra', 'zebra'], 'gone')
    other.items.remove(['gone'], 5)
    addItem(other, 'r2', 'Another zebra', 'recorded', 9000)
    const { hits, more } = await other.search.search({ query: 'zebra', limit: 20 })
    expect(hits.map((hit) => [hit.itemId, hit.field])).toEqual([
      ['r2', 'title'],
      ['titled', 'title'],
      ['both', 'message'],
      ['c', 'message'],
      ['r1', 'title'],
    ])
    expect(more).toBe(false)
    expect(hits[3]).toMatchObject({
      kind: 'conversation',
      partId: 'a29',
      snippet: 'zebra too',
      ranges: [[0, 5]],
      title: 'Conversation c',
    })
    const only = async (kinds: readonly ('meeting' | 'conversation')[], limit = 20) =>
      (await other.search.search({ query: 'zebra', kinds, limit })).hits.map((hit) => hit.itemId)
    expect(await only(['meeting'])).toEqual(['r2', 'r1'])
    expect(await only(['conversation'])).toEqual(['titled', 'both', 'c'])
    expect(await only(['conversation'], 2)).toEqual(['titled', 'both'])
    expect((await other.search.search({ query: 'zebra', limit: 4 })).more).toBe(true)
  }))

const cited = `The **boiler** was serviced.<reference data-ref="1"></reference>

| part | state |
| --- | --- |
| <b>valve</b> | leaks&nbsp;again |

See [the manual](https://example.org/boiler-manual).`

test('finds and shows an answer as displayed: without citation marks, tags and Markdown', () =>
  withChat(async (other) => {
    turn(other, 1, null, ['What about the boiler?', cited])
    const messagesOf = async (query: string) =>
      (await other.chats.search({ query, ranked: false, limit: 9 })).hits
    const [hit] = await messagesOf('valve')
    expect(hit?.snippet).toBe(
      'The boiler was serviced. part state valve leaks again See the manual.',
    )
    expect(hit?.ranges.map(([from, to]) => hit.snippet.slice(from, to))).toEqual(['valve'])
    expect(cited.slice(hit?.offset)).toMatch(/^valve/)
    expect(await messagesOf('reference')).toEqual([])
    const { hits } = await other.search.search({ query: 'valve', limit: 9 })
    expect(hits[0]).toMatchObject({ kind: 'conversation', snippet: hit?.snippet })
    expect((await other.search.search({ query: 'reference', limit: 9 })).hits).toEqual([])
    expect((await other.chats.find('c', 'reference')).places).toEqual([])
    expect((await other.chats.find('c', 'valve')).places).toHaveLength(1)
  }))

test('find returns every match on the displayed branch in order, ignoring case and width', () =>
  withChat(async (other) => {
    turn(other, 1, null, ['Café ＡＢＣ abc', '时间，时间'])
    turn(other, 2, 'a1', ['not shown: abc', 'abc'])
    turn(other, '2b', 'a1', ['xABCx', 'İstanbul abc 时间'])
    const places = async (query: string): Promise<readonly string[]> =>
      (await other.chats.find('c', query)).places.map(
        ({ messageId, offset, length }) => `${messageId} ${offset}+${length}`,
      )
    expect(await places('abc')).toEqual(['q1 5+3', 'q1 9+3', 'q2b 1+3', 'a2b 9+3'])
    expect(await places('ABC')).toEqual(await places('abc'))
    expect(await places('时间')).toEqual(['a1 0+2', 'a1 3+2', 'a2b 13+2'])
    expect(await places('cafe')).toEqual(['q1 0+4'])
    expect(await places('é a')).toEqual(['q1 3+3'])
    expect(await places('，时')).toEqual(['a1 2+2'])
    expect(await places('none')).toEqual([])
    expect((await other.chats.find('unknown', 'abc')).places).toEqual([])
  }))

test('find counts up to ten thousand matches, and reports if there are more', () =>
  withChat(async (other) => {
    other.chats.add(aMessage('q', null, { text: 'ab'.repeat(9_999) }))
    expect(await other.chats.find('c', 'ab')).toMatchObject({
      places: { length: 9_999 },
      more: false,
    })
    other.chats.add(aMessage('q2', 'q', { text: 'abab' }))
    expect(await other.chats.find('c', 'ab')).toMatchObject({
      places: { length: 10_000 },
      more: true,
    })
  }))
