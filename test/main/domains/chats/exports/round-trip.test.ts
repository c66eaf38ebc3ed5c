import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChatJson } from '../../../../../src/shared/contract/chat-json.ts'
import { readChatJson } from '../../../../../src/main/domains/chats/exports/read-json.ts'
import { unzipped } from '../../../../fixtures/unzip.ts'
import { createMediaFiles } from '../../../../../src/main/platform/files/files.ts'
import { createChatExports } from '../../../../../src/main/domains/chats/exports/exports.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { aBatch, anEnd, begin } from '../store/fixture.ts'
import { storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'
import { agent, anyMessages, messageOf, seeded } from './made.ts'

let place = temporaryHome()
let store: Store
let close = async (): Promise<void> => undefined
let exports: ReturnType<typeof createChatExports>
let files: ReturnType<typeof createMediaFiles>
const reported: string[] = []

beforeEach(async () => {
  place = temporaryHome()
  const options = storeOptions(place.home)
  store = await openStore(options)
  files = createMediaFiles({ home: place.home, clock: options.clock, store })
  let count = 0
  reported.length = 0
  exports = createChatExports({
    home: place.home,
    version: '9.9.9',
    workerUrl,
    store,
    files,
    clock: options.clock,
    ids: () => `made-${String((count += 1)).padStart(4, '0')}`,
    activeAccount: () => ({ id: 'account', name: 'Mine' }),
    log: { warn() {} },
    emit(event) {
      if (event.type === 'chat.changed') reported.push(event.conversation.id)
    },
  })
  close = async () => {
    await exports.close()
    await store.close()
  }
})
afterEach(async () => {
  await close()
  place.remove()
})

/** Stores a conversation as if it had taken place. */
async function held(
  id: string,
  messages = [messageOf({ id: `${id}-1`, text: 'Hello' })],
): Promise<void> {
  await store.chats.importConversation(
    {
      id,
      title: `Talk ${id}`,
      settings: agent,
      accountId: 'account',
      accountName: 'Mine',
      temporary: false,
      folderId: null,
      tags: ['one', '二'],
      at: Date.UTC(2026, 0, 1),
    },
    messages,
    messages.at(-1)?.id ?? null,
  )
}

const textOf = async (mediaId: string): Promise<string> =>
  readFile(await files.path(mediaId), 'utf8')
const none: string[] = []
const request = { also: none, steps: true, language: 'en' } as const

/** A file without the values that every export creates again: IDs are positions in the file. */
function bare(text: string): unknown {
  const { exportedAt: _at, ...json } = JSON.parse(text) as ChatJson
  const places = new Map(json.messages.map(({ id }, at) => [id, at] as const))
  const placeOf = (id: string | null) => (id === null ? null : (places.get(id) ?? 'lost'))
  return {
    ...json,
    leafId: placeOf(json.leafId),
    messages: json.messages.map((one) => ({
      ...one,
      id: placeOf(one.id),
      parentId: placeOf(one.parentId),
    })),
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'JSON is unchanged after a round trip (seed %i)',
  async (seed) => {
    const messages = anyMessages(seeded(seed)).map((one) => ({
      ...one,
      id: `s${seed}-${one.id}`,
      parentId: one.parentId && `s${seed}-${one.parentId}`,
    }))
    await held('c', messages)
    const out = await exports.export({ ...request, id: 'c', format: 'json' })
    const text = await textOf(out.mediaId)
    expect(readChatJson(text).messages).toHaveLength(messages.length)
    const made = await exports.import({ mediaId: out.mediaId })
    expect(made).toMatchObject({ title: 'Talk c', tags: ['one', '二'], messages: messages.length })
    expect(reported).toEqual([made?.id])
    const again = await exports.export({ ...request, id: made?.id ?? '', format: 'json' })
    expect(bare(await textOf(again.mediaId))).toEqual(bare(text))
  },
)

describe('an exported file', () => {
  test('is named after its title and leaves no other files', async () => {
    await held('c')
    const { name, mediaId } = await exports.export({ ...request, id: 'c', format: 'md' })
    expect(name).toBe('Talk c.md')
    expect(await textOf(mediaId)).toContain('Hello')
    expect(await readdir(join(place.home, 'exports'))).toEqual([])
  })

  test('writes several conversations to an archive, each under its own name', async () => {
    await held('c')
    await held('d')
    store.chats.rename('d', 'TALK C', 5)
    const { name, mediaId } = await exports.export({
      ...request,
      id: 'c',
      also: ['d', 'c'],
      format: 'html',
    })
    expect(name).toBe('Talk c.zip')
    const entries = unzipped(await readFile(await files.path(mediaId)))
    expect(entries.map((one) => one.name)).toEqual(['Talk c.html', 'TALK C (2).html'])
    for (const entry of entries) expect(entry.bytes.toString('utf8')).toMatch(/<\/html>\n$/)
  })

  test('writes nothing for deleted conversations', async () => {
    await expect(exports.export({ ...request, id: 'none', format: 'md' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('copies only the shown branch, without front matter and steps', async () => {
    await held('c', [
      messageOf({ id: 'q', text: 'Question' }),
      messageOf({ id: 'a', parentId: 'q', role: 'assistant', text: 'First' }),
      messageOf({
        id: 'b',
        parentId: 'q',
        role: 'assistant',
        text: 'Second',
        steps: [{ kind: 'thought', text: 'Hm', textAt: 0, startedAt: 1, endedAt: 2 }],
      }),
    ])
    const { markdown } = await exports.copy({ id: 'c', language: 'zh' })
    expect(markdown).toMatch(/^## 我 · .*\n\nQuestion\n\n## 检索智能体 · .*\n\nSecond$/)
  })
})

describe('an import', () => {
  const intake = async (text: string): Promise<string> =>
    (await files.intake(new Blob([text]).stream(), 'talk.json')).id

  test('creates two conversations when run twice', async () => {
    await held('c')
    const { mediaId } = await exports.export({ ...request, id: 'c', format: 'json' })
    const first = await exports.import({ mediaId })
    const second = await exports.import({ mediaId })
    expect(first.id).not.toBe(second.id)
    expect(store.chats.list({ bin: false, limit: 10 }).total).toBe(3)
  })

  test('reports what is wrong and leaves the library unchanged', async () => {
    await held('c')
    const { mediaId } = await exports.export({ ...request, id: 'c', format: 'json' })
    const text = await textOf(mediaId)
    const wrong = async (change: string) =>
      exports.import({ mediaId: await intake(change) }).then(
        () => null,
        (error: unknown) => error,
      )
    expect(await wrong(text.slice(0, -30))).toMatchObject({
      code: 'DAMAGED_FILE',
      params: { problem: 'line' },
    })
    expect(await wrong(text.replace('"retold":0', '"retold":-1'))).toMatchObject({
      code: 'DAMAGED_FILE',
      params: { problem: 'field', field: 'messages[0].retold' },
    })
    expect(await wrong('{"format":"other"}')).toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
    expect(store.chats.list({ bin: false, limit: 10 }).total).toBe(1)
  })
})

describe('a long answer', () => {
  const shortened = { text: 16, steps: true }
  const beginAnswer = async (): Promise<void> => {
    await held('c')
    begin(store, 'a', 'c-1')
  }

  test('is exported with its shortened steps when the complete ones are damaged', async () => {
    await beginAnswer()
    store.chats.savePart('a', { kind: 'text', start: 6, text: 'zebrafinch' })
    store.chats.savePart('a', { kind: 'steps', start: 0, text: '[{"kind":' })
    const step = { kind: 'thought', text: 'Hm', textAt: 0, startedAt: 1, endedAt: 2 } as const
    store.chats.settle('a', anEnd('begin ', { steps: [step], shortened }))
    const { mediaId } = await exports.export({ ...request, id: 'c', format: 'json' })
    const [, answer] = readChatJson(await textOf(mediaId)).messages
    expect(answer).toMatchObject({ text: 'begin zebrafinch', steps: [step] })
  })

  test('is not exported while it is running', async () => {
    await beginAnswer()
    const text = 'x'.repeat(1024 * 1024)
    store.chats.appendEvents('a', aBatch(0, [{ t: 'text', at: 1, text }]))
    expect(store.chats.message('a')?.shortened?.text).toBe(text.length)
    for (const format of ['md', 'json'] as const)
      await expect(exports.export({ ...request, id: 'c', format })).rejects.toMatchObject({
        code: 'REFUSED',
        params: { problem: 'answering' },
      })
    expect(await readdir(join(place.home, 'exports'))).toEqual([])
  })
})
