import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { SearchHit } from '../../../../../src/shared/model/library.ts'
import {
  addItem,
  putText,
  storeOptions,
  temporaryHome,
} from '../../../platform/database/fixture.ts'

const folder = temporaryHome()
let store: Store

/** A small language: few characters, so that terms overlap, straddle and repeat. */
const han = Array.from('时间会议人工智能的是在鑫𠮷々')
const breaks = ['，', '。', ' ', '\n', '、', '「', '·', '!']
const words = ['meeting', 'meet', 'Meetings', 'the', 'AI', 'perf', 'café', 'x', '2026', 'naïve']

const text = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...han) },
      { weight: 2, arbitrary: fc.constantFrom(...breaks) },
      { weight: 2, arbitrary: fc.constantFrom(...words) },
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join(''))

const texts = fc.sample(text, { numRuns: 400, seed: 7 })

beforeAll(async () => {
  store = await openStore(storeOptions(folder.home))
  store.transaction(() => {
    texts.forEach((body, n) => addItem(store, `f${n}`, `§${n}`, body, n))
  })
})

afterAll(async () => {
  await store.close()
  folder.remove()
})

async function found(query: string): Promise<readonly string[]> {
  const reply = await store.search.search({ query, limit: 1000 })
  for (const hit of reply.hits) expectWhole(hit)
  return reply.hits.map((hit) => hit.itemId).filter((id) => id.startsWith('f'))
}

/**
 * Asserts the invariants of every match: ranges inside the snippet, in order, disjoint, and no split characters.
 */
function expectWhole(hit: SearchHit): void {
  expect(hit.snippet.isWellFormed()).toBe(true)
  expect(hit.ranges.length).toBeGreaterThan(0)
  let last = -1
  for (const [start, end] of hit.ranges) {
    expect(start).toBeGreaterThan(last)
    expect(end).toBeGreaterThan(start)
    expect(end).toBeLessThanOrEqual(hit.snippet.length)
    expect(hit.snippet.slice(start, end).isWellFormed()).toBe(true)
    last = end
  }
}

const newestFirst = (keep: (body: string) => boolean): readonly string[] =>
  texts.flatMap((body, n) => (keep(body) ? [`f${n}`] : [])).toReversed()

test('finds Chinese terms of one to eight characters exactly like a LIKE scan', async () => {
  const term = fc.array(fc.constantFrom(...han), { minLength: 1, maxLength: 8 })
  const taken = fc
    .tuple(fc.nat(texts.length - 1), fc.nat(40), fc.integer({ min: 1, max: 8 }))
    .map(([n, from, length]) => {
      const runs = (texts[n] ?? '').match(/[\p{Script=Han}]+/gu) ?? ['时']
      const run = Array.from(runs[from % runs.length] ?? '时')
      const start = from % run.length
      return run.slice(start, start + length)
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(term, taken), async (chars) => {
      const sought = chars.join('')
      expect(await found(sought)).toEqual(newestFirst((body) => body.includes(sought)))
    }),
    { numRuns: 300, seed: 11 },
  )
})

test('finds whole Latin words like a word scan, ignoring case and diacritics', async () => {
  const plain = (word: string) =>
    word
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
  for (const word of words) {
    const expected = newestFirst((body) => {
      const bodyWords: readonly string[] = plain(body).match(/[a-z0-9]+/g) ?? []
      return bodyWords.includes(plain(word))
    })
    for (const typed of [word, word.toUpperCase(), plain(word), word.normalize('NFD')])
      expect(await found(`"${typed}"`), typed).toEqual(expected)
    // Unquoted, the last word may continue, which loses no match.
    expect(await found(word)).toEqual(expect.arrayContaining([...expected]))
  }
})

test('requires all of several terms', async () => {
  const some = fc.constantFrom(...han, '时间', 'meeting', 'ai')
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(some, { minLength: 2, maxLength: 3 }), async (terms) => {
      const all = await Promise.all(terms.map((term) => found(`"${term}"`)))
      const both = newestFirst(() => true).filter((id) => all.every((ids) => ids.includes(id)))
      expect(await found(terms.map((term) => `"${term}"`).join(' '))).toEqual(both)
    }),
    { numRuns: 60, seed: 3 },
  )
})

test('accepts any input, and treats index syntax as plain text', async () => {
  const nasty = [
    '"',
    '""',
    '*',
    'NOT',
    'a OR',
    'NEAR(a b)',
    'title:x',
    '(((',
    '^',
    '-x',
    `';--`,
    '\0',
    '“',
    '\ud800',
  ]
  for (const query of nasty) await store.search.search({ query, limit: 3 })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (query) => {
      await found(query)
    }),
    { numRuns: 200, seed: 5 },
  )
})

/** Searches a single text, in a separate item that is deleted afterwards. */
async function hitIn(
  body: string,
  query: string,
  title = 'Untitled',
): Promise<SearchHit | undefined> {
  addItem(store, 'one', title, body, 10_000)
  try {
    const { hits } = await store.search.search({ query, limit: 1000 })
    return hits.find((hit) => hit.itemId === 'one')
  } finally {
    store.items.purge(['one'])
  }
}

test.each([
  ['two characters separated by a comma are not a word', '你好，世界', '好世', false],
  ['two characters separated by a line break are not a word', '你好\n世界', '好世', false],
  ['full-width letters and digits match regular ones', 'ＡＢＣ１２３ 会议', 'abc123', true],
  ['half-width kana match full-width ones', 'ｶﾞﾗｽの靴', 'ガラス', true],
  ['voiced kana do not match unvoiced ones', 'かがみ', 'かか', false],
  ['Korean from a decomposed file name', '한국어 회의'.normalize('NFD'), '한국어', true],
  ['case and diacritics are ignored', 'CAFÉ Straße', 'cafe strasse', true],
  ['Greek sigmas match in all forms', 'ΟΔΟΣ οδός', 'οδος', true],
  ['the last word matches as a prefix', 'performance', 'perf', true],
  ['an earlier word does not match as a prefix', 'performance now', 'perf now', false],
  ['the end of a word does not match', 'performance', 'formance', false],
  ['a quoted word matches only as a complete word', 'performance', '"perf"', false],
  ['quoted words match as a phrase', 'to be or not to be', '"or not"', true],
  ['quoted words in another order do not match', 'to be or not to be', '"not or"', false],
  ['Latin and Han mixed, as typed', '在AI时代里', 'AI时代', true],
  ['Latin and Han with a typographic space', '在 AI 时代里', 'AI时代', true],
  ['digits between Han', '见第3章里', '第3章', true],
  ['digits between Han match only as a complete number', '见第33章', '第3章', false],
  ['a character outside the Basic Multilingual Plane', '名字叫𠮷田', '𠮷田', true],
  ['a soft hyphen is ignored', 'trans\u00adcript', 'transcript', true],
  ['Thai is found without word boundaries', 'ประชุมวันนี้', 'วันนี้', true],
  ['words from the title and the text match together', 'said Anna', 'budget anna', true],
  ['underscores separate words', 'snake_case_name', 'case', true],
])('%s', async (_name, body, query, expected) => {
  const hit = await hitIn(body, query, 'Budget round')
  expect(hit !== undefined).toBe(expected)
  if (hit) expectWhole(hit)
})

test('reports field, part, offset and ranges of a match in the original', async () => {
  const body = `${'前面很长的文字。'.repeat(40)}Und dann: ＢＥＲＬＩＮ,\nStraße 日本語`
  const hit = await hitIn(body, 'berlin 日本')
  expect(hit).toMatchObject({ field: 'transcript', partId: expect.any(String), title: 'Untitled' })
  expect(hit?.offset).toBe(body.indexOf('ＢＥＲＬＩＮ'))
  expect(hit?.ranges.map(([start, end]) => hit.snippet.slice(start, end))).toEqual([
    'ＢＥＲＬＩＮ',
    '日本',
  ])
  expect(hit?.snippet).toMatch(/^…/)
  expect(hit?.snippet).not.toMatch(/\n/)
})

test('finds a word that occurs only in the title', async () => {
  const hit = await hitIn('nothing of the kind', 'quarterly', 'The quarterly review')
  expect(hit).toMatchObject({ field: 'title', partId: null, offset: 4, ranges: [[4, 13]] })
})

test('updates the results after editing, renaming, trashing or purging', async () => {
  const ids = async (query: string) =>
    (await store.search.search({ query, limit: 9 })).hits.map((hit) => hit.itemId)
  addItem(store, 'a', 'Firsttitle', 'longwinded')
  expect(await ids('longwinded')).toEqual(['a'])
  const [line] = store.meetings.lines('a')
  store.meetings.edit('a', { type: 'text', lineId: line?.id ?? '', text: 'edited' })
  expect(await ids('longwinded')).toEqual([])
  expect(await ids('edited')).toEqual(['a'])
  store.meetings.undo('a')
  // An earlier version of the text is found, too.
  putText(store, 'a', 'replaced')
  expect(await ids('longwinded')).toEqual(['a'])
  expect(await ids('replaced')).toEqual(['a'])
  store.items.rename('a', 'Othertitle', 5)
  expect(await ids('firsttitle')).toEqual([])
  expect(await ids('othertitle replaced')).toEqual(['a'])
  expect(await ids('othertitle')).toEqual(['a'])
  store.items.remove(['a'], 9)
  expect(await ids('othertitle')).toEqual([])
  store.items.restore(['a'], 10)
  expect(await ids('othertitle')).toEqual(['a'])
  store.items.purge(['a'])
  expect(await ids('othertitle')).toEqual([])
  addItem(store, 'b', 'Title without text', '')
  expect(await ids('without text')).toEqual(['b'])
  store.items.purge(['b'])
})

test('returns at most `limit` results, and reports in `more` whether others exist', async () => {
  const all = await found('时')
  const few = await store.search.search({ query: '时', limit: 5 })
  expect(few.hits.map((hit) => hit.itemId)).toEqual(all.slice(0, 5))
  expect(few.more).toBe(true)
  expect((await store.search.search({ query: '时', limit: all.length })).more).toBe(false)
})
