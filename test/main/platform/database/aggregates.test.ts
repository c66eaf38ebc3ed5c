import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import { presets } from '../../../../src/shared/provider/profiles.ts'
import { aMedia, addItem, codeOf, putText, storeOptions, temporaryHome, textOf } from './fixture.ts'

const folder = temporaryHome()
let store: Store

beforeAll(async () => {
  store = await openStore(storeOptions(folder.home))
})

afterAll(async () => {
  await store.close()
  folder.remove()
})

test('settings have defaults, save choices, and ignore unknown fields', () => {
  expect(store.settings.get()).toMatchObject({ theme: 'system', listWidth: 280, proxy: 'system' })
  const odd = { theme: 'dark', listWidth: 300, extra: 1 } as Parameters<
    Store['settings']['update']
  >[0]
  expect(store.settings.update(odd)).toMatchObject({ theme: 'dark', listWidth: 300 })
  expect(store.settings.get()).not.toHaveProperty('extra')
  store.settings.update({ theme: 'system', listWidth: 280 })
})

test('this computer is always an account and cannot be removed', async () => {
  expect(store.accounts.list().map((account) => account.id)).toEqual(['this-computer'])
  expect(store.accounts.get('this-computer')).toMatchObject({
    preset: 'local',
    name: 'This computer',
  })
  expect(await codeOf(() => store.accounts.remove('this-computer'))).toBe('REFUSED')
})

test('saves an account with its profile; removing the active one activates this computer', () => {
  const account = {
    id: 'a1',
    preset: 'zai' as const,
    name: 'Work',
    profile: { ...presets.zai, concurrency: 9 },
    createdAt: 5,
  }
  store.accounts.put(account)
  store.accounts.put({ ...account, name: 'Office' })
  expect(store.accounts.get('a1')).toEqual({ ...account, name: 'Office' })
  store.settings.update({ activeAccountId: 'a1' })
  store.accounts.remove('a1')
  expect(store.accounts.get('a1')).toBeUndefined()
  expect(store.settings.get().activeAccountId).toBe('this-computer')
})

test('pages items newest first without gaps or repeats, also with equal times', () => {
  for (let n = 0; n < 25; n++)
    addItem(store, `page-${n}`, `Page ${n}`, '', 1000 + Math.floor(n / 3))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = store.items.list({ bin: false, limit: 7, ...(cursor !== undefined && { cursor }) })
    expect(page.total).toBe(25)
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `page-${24 - n}`))
  store.items.purge(seen)
})

test('rejects an invalid cursor as a bad request', async () => {
  expect(await codeOf(() => store.items.list({ bin: false, limit: 1, cursor: `1'--` }))).toBe(
    'BAD_REQUEST',
  )
})

test('moves to Trash, restores and purges items with all their data', () => {
  addItem(store, 'one', 'One', 'first words', 10)
  store.items.create({ id: 'two', kind: 'meeting', title: 'Two', mediaId: 'm-one', at: 11 })
  store.replies.add({
    id: 'r-one',
    itemId: 'one',
    operation: 'transcriptions.create',
    status: 200,
    contentType: 'application/json',
    body: '{}',
    at: 4,
  })
  expect(store.meetings.byMedia('m-one')).toBe('two')
  store.items.remove(['one'], 500)
  expect(store.items.list({ bin: false, limit: 9 }).items.map((item) => item.id)).toEqual(['two'])
  expect(store.items.list({ bin: true, limit: 9 }).items.map((item) => item.id)).toEqual(['one'])
  expect(store.items.binnedBefore(501)).toEqual(['one'])
  expect(store.items.binnedBefore(500)).toEqual([])
  store.items.restore(['one'], 600)
  expect(store.items.summary('one')).toMatchObject({ deletedAt: null, updatedAt: 600 })

  expect(store.items.purge(['one'])).toEqual([])
  expect(store.items.summary('one')).toBeUndefined()
  expect(store.meetings.segment('s-one')).toBeUndefined()
  expect(store.replies.byItem('one')).toEqual([])
  expect(store.items.purge(['two', 'nobody'])).toEqual(['m-one'])
  expect(store.media.orphans(1_000).map((media) => media.id)).toContain('m-one')
})

test('shows the beginning of the newest text of an item', () => {
  addItem(store, 'x', 'Talk', 'first   hearing\nof it', 20)
  expect(store.items.summary('x')).toMatchObject({ excerpt: 'first hearing of it' })
  putText(store, 'x', 'second hearing')
  expect(store.items.summary('x')?.excerpt).toBe('second hearing')
  expect(textOf(store, 'x')).toBe('second hearing')
})

test('returns responses as received, very small and very large', () => {
  const large = `{"segments":[${'{"text":"你好 hello"},'.repeat(100_000)}null]}`
  for (const [index, body] of ['{"a":"\u0000é"}', large].entries()) {
    store.replies.add({
      id: `r${index}`,
      itemId: 'x',
      operation: 'transcriptions.create',
      status: 200,
      contentType: 'application/json',
      body,
      at: index,
    })
  }
  expect(store.replies.byItem('x').map((reply) => reply.body)).toEqual(['{"a":"\u0000é"}', large])
})

test('pages activity backwards and filters it; typed text is never a pattern', () => {
  const call = {
    at: 1,
    accountId: 'this-computer',
    accountName: 'This computer',
    operation: 'transcriptions.create',
    method: 'POST',
    path: '/paas/v4/audio/transcriptions',
    model: 'gen-asr',
    status: 200,
    outcome: 'ok' as const,
    errorCode: null,
    queuedMs: 1.5,
    sentMs: 2.5,
    firstByteMs: 20,
    durationMs: 30,
    bytesSent: 10,
    bytesReceived: 20,
    promptTokens: null,
    completionTokens: null,
    totalTokens: 3,
    attempt: 1,
    requestId: 'req-12345',
    logId: null,
  }
  const first = store.activity.add(call)
  store.activity.add({ ...call, outcome: 'failed', errorCode: 'OFFLINE', status: null })
  store.activity.add({ ...call, accountId: 'other', requestId: null })
  expect(first).toEqual({ ...call, id: 1 })
  expect(store.activity.list({ limit: 2 })).toMatchObject({
    calls: [{ id: 3 }, { id: 2 }],
    more: true,
  })
  expect(store.activity.list({ limit: 2, before: 2 })).toMatchObject({ calls: [call], more: false })
  const ids = (query: object) =>
    store.activity.list({ limit: 9, ...query }).calls.map((each) => each.id)
  expect(ids({ outcome: 'failed' })).toEqual([2])
  expect(ids({ accountId: 'other' })).toEqual([3])
  expect(ids({ text: 'offline' })).toEqual([2])
  expect(ids({ text: 'REQ-1' })).toEqual([2, 1])
  for (const pattern of ['%', '_', '\\', 'req_12345']) expect(ids({ text: pattern })).toEqual([])
})

test('a failed transaction leaves everything unchanged: rows, search and nested ones', async () => {
  const before = store.items.list({ bin: false, limit: 100 })
  const failing = () =>
    store.transaction(() => {
      addItem(store, 'gone', 'Vanishing', 'never heard')
      throw new Error('half way')
    })
  expect(failing).toThrow('half way')
  expect(store.items.list({ bin: false, limit: 100 })).toEqual(before)
  expect((await store.search.search({ query: 'vanishing', limit: 5 })).hits).toEqual([])
})

test('media that an item refers to cannot be removed', () => {
  expect(store.media.remove('m-x')).toBe(false)
  store.media.put({ ...aMedia('m-x'), duration: 12 })
  expect(store.media.get('m-x')?.duration).toBe(12)
})

test('erase leaves nothing behind, not even in the file', async () => {
  const { readFileSync } = await import('node:fs')
  addItem(store, 'secret', 'Sesquipedalian', 'antidisestablishmentarianism')
  expect((await store.backup()).ok).toBe(true)
  store.erase()
  expect(store.items.list({ bin: false, limit: 1 }).total).toBe(0)
  expect(store.settings.get().welcomed).toBe(false)
  expect(store.size().backups).toBe(0)
  expect((await store.search.search({ query: 'sesquipedalian', limit: 5 })).hits).toEqual([])
  const bytes = readFileSync(`${folder.home}/library.db`).toString('latin1')
  expect(bytes).not.toMatch(/sesquipedalian|antidisestablishmentarianism/i)
  addItem(store, 'after', 'After', 'works again')
  expect((await store.search.search({ query: 'again', limit: 5 })).hits).toHaveLength(1)
})
