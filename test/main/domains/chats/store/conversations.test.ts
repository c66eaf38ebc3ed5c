import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { aMedia, codeOf } from '../../../platform/database/fixture.ts'
import { newDocument } from '../../documents/store/fixture.ts'
import {
  agent,
  aMessage,
  anEnd,
  assistant,
  begin,
  idsOf,
  newChat,
  turn,
  withChat,
} from './fixture.ts'

const listed = (
  store: Store,
  query: Partial<Parameters<Store['chats']['list']>[0]> = {},
): readonly string[] => idsOf(store.chats.list({ bin: false, limit: 50, ...query }).conversations)

const organize = (
  store: Store,
  ids: readonly string[],
  change: Partial<Parameters<Store['entries']['organize']>[0]>,
): void => store.entries.organize({ ids, others: [], addTags: [], removeTags: [], ...change })

const imported = {
  id: 'n',
  title: 'Taken in',
  settings: agent,
  accountId: 'a',
  accountName: 'A',
  temporary: false,
  folderId: null,
  at: 5,
  tags: [],
}

test('sorts the list by the newest message, starred ones first, in pages', () =>
  withChat((store) => {
    for (let n = 0; n < 7; n++) newChat(store, `n${n}`, { at: 1000 + n })
    store.chats.add(aMessage('q', null, { conversationId: 'n2', at: 9000 }))
    organize(store, ['n0', 'n1'], { starred: true })
    // Neither a rename nor settings move it.
    store.chats.rename('n3', 'Renamed', 99_000)
    const order = ['n1', 'n0', 'n2', 'n6', 'n5', 'n4', 'n3', 'c']
    expect(listed(store)).toEqual(order)
    const pages: string[] = []
    let cursor: string | null | undefined
    do {
      const page = store.chats.list({ bin: false, limit: 3, cursor: cursor ?? undefined })
      expect(page.total).toBe(8)
      pages.push(...idsOf(page.conversations))
      cursor = page.next
    } while (cursor !== null)
    expect(pages).toEqual(order)
    expect(listed(store, { starred: true })).toEqual(['n1', 'n0'])
    organize(store, ['n1'], { starred: false })
    expect(listed(store)[0]).toBe('n0')
    expect(store.chats.get('n0')?.starred).toBe(true)
    expect(store.chats.get('n1')?.starred).toBe(false)
  }))

test('sorts a filtered list of thousands, and counts up to a thousand', () =>
  withChat((store) => {
    const ids = Array.from({ length: 1100 }, (_, n) => `n${n}`)
    store.transaction(() => {
      store.entries.saveFolder({ id: 'f', kind: 'conversation', name: 'Work', at: 1 })
      for (const [n, id] of ids.entries())
        newChat(store, id, { at: 2000 + n, settings: assistant('as-1'), folderId: 'f' })
      organize(store, ['n7', 'n9'], { starred: true })
    })
    const order = ['n9', 'n7', ...ids.filter((id) => id !== 'n7' && id !== 'n9').toReversed()]
    for (const narrow of [{ who: 'as-1' }, { folderId: 'f' }]) {
      const pages: string[] = []
      let cursor: string | null | undefined
      do {
        const page = store.chats.list({
          bin: false,
          limit: 200,
          ...narrow,
          cursor: cursor ?? undefined,
        })
        expect(page.total).toBe(1000)
        pages.push(...idsOf(page.conversations))
        cursor = page.next
      } while (cursor !== null)
      expect(pages).toEqual(order)
    }
    expect(store.chats.list({ bin: false, limit: 1 }).total).toBe(1101)
  }))

test('stars, folders, tags and assistants filter the list', () =>
  withChat(async (store) => {
    store.entries.saveFolder({ id: 'f', kind: 'conversation', name: 'Work', at: 1 })
    newChat(store, 'd', { folderId: 'f', settings: assistant('as-1'), at: 2000 })
    newChat(store, 'e', { at: 3000 })
    organize(store, ['c', 'd'], { folderId: 'f', addTags: ['red', 'blue'] })
    organize(store, ['c'], { starred: true, removeTags: ['red'] })
    expect(store.chats.get('d')).toMatchObject({ folderId: 'f', tags: ['red', 'blue'] })
    expect(listed(store, { folderId: 'f' })).toEqual(['c', 'd'])
    expect(listed(store, { folderId: null })).toEqual(['e'])
    expect(listed(store, { starred: true, folderId: null })).toEqual([])
    expect(listed(store, { tag: 'red' })).toEqual(['d'])
    expect(listed(store, { who: 'as-1' })).toEqual(['d'])
    expect(listed(store, { who: 'agent', tag: 'blue' })).toEqual(['c'])
    expect(store.chats.list({ bin: false, limit: 1, tag: 'blue' })).toMatchObject({ total: 2 })
    expect(await codeOf(() => newChat(store, 'x', { folderId: 'none' }))).toBe('NOT_FOUND')
  }))

test('a chat is an item: listed, renamed, moved to Trash, restored and purged like others', () =>
  withChat(async (store) => {
    turn(store, 1, null, ['the question', 'the answer'])
    expect(store.items.summary('c')).toMatchObject({
      kind: 'conversation',
      title: 'Conversation c',
      excerpt: 'the answer',
      conversation: { messages: 2, state: 'idle', temporary: false, settings: agent },
    })
    expect(store.items.list({ kinds: ['conversation'], bin: false, limit: 5 }).total).toBe(1)
    store.items.rename('c', 'Renamed 会话', 50)
    expect((await store.search.search({ query: '会话', limit: 5 })).hits).toMatchObject([
      { itemId: 'c', kind: 'conversation', field: 'title' },
    ])
    store.items.remove(['c'], 60)
    expect(store.chats.get('c')?.deletedAt).toBe(60)
    expect(listed(store)).toEqual([])
    expect(listed(store, { bin: true })).toEqual(['c'])
    expect(store.items.binnedBefore(61)).toEqual(['c'])
    store.items.restore(['c'], 70)
    expect(listed(store)).toEqual(['c'])
    store.items.purge(['c'])
    expect(store.chats.get('c')).toBeUndefined()
    expect(store.chats.message('a1')).toBeUndefined()
    expect(store.chats.unfinished()).toEqual([])
    expect(await codeOf(() => store.chats.setState('a1', { state: 'done' }))).toBe('NOT_FOUND')
    expect((await store.search.search({ query: '会话', limit: 5 })).hits).toEqual([])
  }))

test('a temporary chat is in no list, count, Trash or search', () =>
  withChat(async (store) => {
    newChat(store, 't', { temporary: true, title: 'Hidden title' })
    store.chats.add(aMessage('q', null, { conversationId: 't', text: 'hidden words' }))
    store.chats.rename('t', 'Hidden again', 5)
    expect(store.chats.get('t')).toMatchObject({ temporary: true, messages: 1 })
    expect(store.chats.window('t', null, 5).messages).toHaveLength(1)
    expect(listed(store)).toEqual(['c'])
    expect(idsOf(store.items.list({ bin: false, limit: 9 }).items)).toEqual(['c'])
    expect(store.items.list({ bin: false, limit: 9 }).total).toBe(1)
    expect(store.items.summary('t')).toBeUndefined()
    store.items.remove(['t'], 5)
    expect(store.items.list({ bin: true, limit: 9 })).toMatchObject({ items: [], total: 0 })
    expect(store.items.binnedBefore(99)).toEqual([])
    expect((await store.search.search({ query: 'hidden', limit: 5 })).hits).toEqual([])
    const query = { query: 'hidden', ranked: false, limit: 5 }
    expect((await store.chats.search(query)).hits).toEqual([])
    expect((await store.chats.find('t', 'HIDDEN')).places).toHaveLength(1)
    expect(store.chats.temporary()).toEqual(['t'])
    store.items.purge(['t'])
    expect(store.chats.temporary()).toEqual([])
  }))

test("settings, account and draft are the chat's own", () =>
  withChat((store) => {
    const settings = assistant('as-2')
    const changed = store.chats.configure('c', {
      settings,
      accountId: 'b',
      accountName: 'Another',
      at: 9,
    })
    expect(changed).toMatchObject({ settings, accountId: 'b', accountName: 'Another' })
    expect(listed(store, { who: 'as-2' })).toEqual(['c'])
    const draft = { text: 'unsent', attachments: [] }
    store.chats.saveDraft('c', draft)
    expect(store.chats.get('c')?.draft).toEqual(draft)
    expect(store.items.summary('c')?.conversation?.draft).toEqual(draft)
    store.chats.saveDraft('c', null)
    expect(store.chats.get('c')?.draft).toBeNull()
  }))

test('files of messages and drafts are in use as long as these exist', () =>
  withChat(async (store) => {
    for (const id of ['m1', 'm2', 'm3']) store.media.put(aMedia(id))
    const image = (mediaId: string) => ({ kind: 'image', mediaId, name: mediaId }) as const
    store.chats.add(aMessage('q', null, { attachments: [image('m1'), image('m1'), image('gone')] }))
    store.chats.saveDraft('c', { text: '', attachments: [image('m2')] })
    const unused = (): readonly string[] => store.media.orphans(99).map((media) => media.id)
    expect(unused()).toEqual(['m3'])
    store.chats.saveDraft('c', { text: '', attachments: [image('m3')] })
    expect(unused()).toEqual(['m2'])
    expect(store.media.remove('m1')).toBe(false)
    store.items.purge(['c'])
    // The messages are deleted in steps afterwards.
    await expect.poll(unused).toEqual(['m1', 'm2', 'm3'])
  }))

test('images of an answer are in use as long as it exists, also in an imported chat', () =>
  withChat(async (store) => {
    for (const id of ['m1', 'm2']) store.media.put(aMedia(id))
    store.chats.add(aMessage('q', null))
    begin(store, 'a', 'q')
    const call = { type: 'drawing_tool', outputs: [{ mediaId: 'm1' }, { other: 1 }, null] } as const
    const step = { kind: 'tool', call, textAt: 0, startedAt: 1, endedAt: 2 } as const
    store.chats.settle('a', anEnd('drawn', { steps: [step] }))
    const unused = (): readonly string[] => store.media.orphans(99).map((media) => media.id)
    expect(unused()).toEqual(['m2'])
    const messages = Array.from(store.chats.all('c'), (message) => ({
      ...message,
      id: `new-${message.id}`,
      parentId: message.parentId && `new-${message.parentId}`,
      steps:
        message.steps.length === 0
          ? []
          : [{ ...step, call: { ...call, outputs: [{ mediaId: 'm2' }] } }],
    }))
    await store.chats.importConversation(imported, messages, null)
    expect(unused()).toEqual([])
  }))

test('deletes a chat of 10,000 messages in one chain in steps', () =>
  withChat(async (store, home) => {
    const count = 10_000
    store.transaction(() => {
      for (let n = 0; n < count; n++)
        store.chats.add(
          aMessage(`m${n}`, n === 0 ? null : `m${n - 1}`, {
            role: n % 2 === 0 ? 'user' : 'assistant',
            text: `word ${n}`,
          }),
        )
    })
    newChat(store, 'other')
    turn(store, 'other', null, ['a word', 'another word'], 'other')
    expect(store.chats.window('c', null, 5).before).toBe(count - 5)
    store.items.purge(['c'])
    // It is invisible immediately, although its rows still exist.
    expect(store.chats.get('c')).toBeUndefined()
    expect(store.chats.message('m9999')).toBeUndefined()
    const query = { query: 'word', ranked: false, limit: 9 }
    expect((await store.chats.search(query)).hits).toHaveLength(2)
    const db = new Database(join(home, 'library.db'), { readonly: true })
    const left = () =>
      ['messages', 'message_bodies', 'message_text_docsize', 'chat_leftovers'].map(
        (table) => db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
      )
    expect(left()[0]).toBeGreaterThan(count / 2)
    await expect.poll(left).toEqual([2, 2, 2, 0])
    db.close()
    expect((await store.chats.search(query)).hits).toHaveLength(2)
  }))

test('imports a chat with all its branches', () =>
  withChat(async (store) => {
    turn(store, 1, null)
    turn(store, 2, 'a1')
    turn(store, '2b', 'a1')
    store.chats.choose('q2')
    store.chats.add(aMessage('q3', 'a2', { state: 'waiting' }))
    begin(store, 'a3', 'q3')
    const messages = Array.from(store.chats.all('c'), (message) => ({
      ...message,
      id: `new-${message.id}`,
      parentId: message.parentId && `new-${message.parentId}`,
    }))
    const made = {
      id: 'n',
      title: 'Taken in',
      settings: agent,
      accountId: 'a',
      accountName: 'A',
      temporary: false,
      folderId: null,
      at: 77_000,
      tags: ['one'],
    }
    // In any order.
    const taken = await store.chats.importConversation(made, messages.toReversed(), 'new-a2b')
    expect(taken).toMatchObject({
      title: 'Taken in',
      leafId: 'new-a2b',
      messages: 8,
      tags: ['one'],
      state: 'idle',
      lastAt: 2000,
    })
    expect(idsOf(store.chats.branch('n'))).toEqual(['new-q1', 'new-a1', 'new-q2b', 'new-a2b'])
    expect(store.chats.choose('new-q2').leafId).toBe('new-a3')
    expect(store.chats.message('new-a3')?.state).toBe('broken')
    expect(store.chats.message('new-q3')?.state).toBe('done')
    expect(store.chats.message('new-q2b')?.siblings).toHaveLength(2)
  }))

test('finds an imported chat shortly after; rejects inconsistent data completely', () =>
  withChat(async (store) => {
    turn(store, 1, null, ['somewhere', 'else'])
    const messages = Array.from(store.chats.all('c'), (message, n) => ({
      ...message,
      id: `n${n}`,
      parentId: n === 0 ? null : `n${n - 1}`,
    }))
    for (const [rest, leaf] of [
      [messages.slice(1), 'n1'],
      [messages, 'other'],
    ] as const)
      expect(await codeOf(() => store.chats.importConversation(imported, rest, leaf))).toBe(
        'BAD_REQUEST',
      )
    expect(store.chats.get('n')).toBeUndefined()
    await store.chats.importConversation(imported, messages, 'n1')
    const found = async (): Promise<readonly string[]> => {
      const reply = await store.chats.search({ query: 'somewhere', ranked: false, limit: 5 })
      return reply.hits.map((hit) => hit.messageId)
    }
    await expect.poll(found).toEqual(['n0', 'q1'])
  }))

test('saves prompts and listed assistants', () =>
  withChat(async (store) => {
    const { chats } = store
    chats.savePrompt({ id: '1', name: 'translate', text: 'a', at: 1 })
    chats.savePrompt({ id: '2', name: 'Ask', text: 'b', at: 2 })
    expect(chats.savePrompt({ id: '1', name: 'translate', text: 'c', at: 3 }).text).toBe('c')
    expect(chats.prompts()).toEqual([
      { id: '2', name: 'Ask', text: 'b', updatedAt: 2 },
      { id: '1', name: 'translate', text: 'c', updatedAt: 3 },
    ])
    chats.removePrompt('1')
    expect(await codeOf(() => chats.removePrompt('1'))).toBe('NOT_FOUND')
    expect(chats.assistants('a')).toEqual({ assistants: [], at: null })
    const one = {
      id: 'x',
      name: 'X',
      avatar: null,
      description: '',
      tools: [],
      tags: [],
      starterPrompts: ['hi'],
      listedAt: 4,
    }
    chats.keepAssistants('a', [one], 4)
    expect(chats.assistants('a')).toEqual({ assistants: [one], at: 4 })
    chats.keepAssistants('a', [], 5)
    expect(chats.assistants('a')).toEqual({ assistants: [], at: 5 })
  }))

test('identifies a provider document by an earlier upload, else by its name', () =>
  withChat((store) => {
    newDocument(store, 'd1', { title: 'Report', name: 'Annual Report 2025.pdf' })
    newDocument(store, 'd2', { title: 'annual report 2025', name: 'scan.pdf', mediaId: 'm-d1' })
    const push = {
      id: 'p',
      documentId: 'd1',
      accountId: 'a',
      accountName: 'A',
      baseId: 'b',
      baseName: 'B',
      mediaId: 'm-d1',
      digest: '',
      pages: '',
      pageMarks: false,
      chars: 1,
      replaces: null,
      createdAt: 1,
    }
    store.handovers.begin(push)
    store.handovers.change('p', { remoteId: 'remote-1' })
    expect(store.chats.pushedFrom('remote-1')).toBe('d1')
    expect(store.chats.pushedFrom('remote-2')).toBeUndefined()
    expect(store.chats.namedDocument('Annual Report 2025.DOCX')).toBe('d2')
    expect(store.chats.namedDocument('ａｎｎｕａｌ report 2025')).toBe('d2')
    expect(store.chats.namedDocument('Annual Report 2024.pdf')).toBeUndefined()
    expect(store.chats.namedDocument('.pdf')).toBeUndefined()
    store.items.remove(['d1', 'd2'], 5)
    expect(store.chats.pushedFrom('remote-1')).toBeUndefined()
    expect(store.chats.namedDocument('report')).toBeUndefined()
  }))
