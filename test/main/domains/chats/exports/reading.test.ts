import { describe, expect, test } from 'vitest'
import type { ChatJson } from '../../../../../src/shared/contract/chat-json.ts'
import { chatJsonLimits } from '../../../../../src/shared/chats/chat-json-limits.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { AppError } from '../../../../../src/main/errors.ts'
import { jsonOverLimit } from '../../../../../src/main/domains/chats/exports/nesting.ts'
import { readChatJson } from '../../../../../src/main/domains/chats/exports/read-json.ts'
import { remade } from '../../../../../src/main/domains/chats/exports/reassign-chat-ids.ts'
import { anyMessages, messageOf, seeded, written } from './made.ts'

const talk = [
  messageOf({ id: 'q', text: 'Question' }),
  messageOf({ id: 'a', parentId: 'q', role: 'assistant', text: 'Answer' }),
]
const textOf = (
  messages: readonly ChatMessage[] = talk,
  leafId: string | null = messages.at(-1)?.id ?? null,
) => written('json', messages, { head: { leafId } })

/** Reads like the import; returns the failure if there is one. */
function readIn(text: string): unknown {
  try {
    return remade(readChatJson(text), 'new')
  } catch (error) {
    return error
  }
}
const changed = async (change: (json: ChatJson) => unknown): Promise<unknown> => {
  const json = JSON.parse(await textOf()) as ChatJson
  return readIn(JSON.stringify(change(json)))
}
const field = (name: string) => ({
  code: 'DAMAGED_FILE',
  params: { problem: 'field', field: name },
})
const [q, a] = [0, 1] as const
const withMessage = (json: ChatJson, at: number, change: object) => ({
  ...json,
  messages: json.messages.map((one, index) => (index === at ? { ...one, ...change } : one)),
})

describe('problems of a file', () => {
  test('reports the line where it is truncated', async () => {
    const text = await textOf()
    const lines = text.split('\n')
    expect(readIn(lines.slice(0, -3).join('\n'))).toMatchObject({
      code: 'DAMAGED_FILE',
      params: { problem: 'line', line: lines.length - 3 },
    })
    expect(readIn(text.replace('"leafId"', 'leafId'))).toMatchObject({
      params: { problem: 'line', line: lines.findIndex((line) => line.includes('leafId')) + 1 },
    })
    expect(readIn('')).toMatchObject({ params: { problem: 'line', line: 1 } })
  })

  test('reports the field that is missing, unknown or of another type', async () => {
    expect(await changed((json) => ({ ...json, title: 5 }))).toMatchObject(field('title'))
    expect(await changed((json) => ({ ...json, more: 5 }))).toMatchObject(field('more'))
    expect(await changed((json) => withMessage(json, a, { state: 'asleep' }))).toMatchObject(
      field('messages[1].state'),
    )
    expect(
      await changed((json) => withMessage(json, a, { steps: [{ kind: 'reasoning' }] })),
    ).toMatchObject(field('messages[1].steps[0].text'))
    expect(await changed((json) => withMessage(json, q, { createdAt: 1e300 }))).toMatchObject({
      code: 'DAMAGED_FILE',
    })
  })

  test('reports the limit that is exceeded', async () => {
    expect(await changed((json) => ({ ...json, tags: Array(21).fill('t') }))).toMatchObject({
      code: 'DAMAGED_FILE',
      params: { problem: 'over', field: 'tags', limit: 20 },
    })
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
    const text = (await textOf()).replace('"text":"Question"', `"text":${deep}`)
    expect(readIn(text)).toMatchObject({
      params: { problem: 'over', limit: chatJsonLimits.nesting },
    })
    // Only brackets: they would take gigabytes if they were parsed into objects.
    const many = (await textOf()).replace(
      '"steps":[]',
      `"steps":[${'[],'.repeat(chatJsonLimits.values / 2)}[]]`,
    )
    expect(readIn(many)).toMatchObject({
      params: { problem: 'over', limit: chatJsonLimits.values },
    })
  })

  test('reports its actual type', async () => {
    for (const other of ['[]', '"lectern.chat"', '{"format":"lectern-meeting"}', 'null', '5'])
      expect(readIn(other)).toMatchObject({
        code: 'UNSUPPORTED_FORMAT',
        params: { problem: 'foreign' },
      })
    expect(await changed((json) => ({ ...json, version: 2 }))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      params: { problem: 'newer', version: 2 },
    })
  })
})

describe('refuses an invalid tree', () => {
  test('with cycles, unknown parents, children before parents, or duplicate IDs', async () => {
    expect(await changed((json) => withMessage(json, q, { parentId: 'a' }))).toMatchObject(
      field('messages[0].parentId'),
    )
    expect(await changed((json) => withMessage(json, a, { parentId: 'a' }))).toMatchObject(
      field('messages[1].parentId'),
    )
    expect(await changed((json) => withMessage(json, a, { parentId: 'lost' }))).toMatchObject(
      field('messages[1].parentId'),
    )
    expect(await changed((json) => withMessage(json, a, { id: 'q' }))).toMatchObject(
      field('messages[1].id'),
    )
    expect(
      await changed((json) => ({ ...json, messages: json.messages.toReversed() })),
    ).toMatchObject(field('messages[0].parentId'))
  })

  test('with an answer without a question, or a missing end', async () => {
    expect(await changed((json) => withMessage(json, a, { parentId: null }))).toMatchObject(
      field('messages[1].parentId'),
    )
    expect(await changed((json) => ({ ...json, leafId: 'lost' }))).toMatchObject(field('leafId'))
    expect(await changed((json) => ({ ...json, leafId: null }))).toMatchObject(field('leafId'))
    expect(await changed((json) => ({ ...json, leafId: null, messages: [] }))).toMatchObject({
      messages: [],
    })
  })
})

test('imports nothing as waiting or running, and replaces all IDs', async () => {
  const text = await textOf([
    messageOf({ id: 'q', text: 'Sent' }),
    messageOf({
      id: 'a',
      parentId: 'q',
      role: 'assistant',
      state: 'running',
      streamId: 'stream',
      steps: [{ kind: 'thought', text: 'Hm', textAt: 0, startedAt: 1, endedAt: null }],
    }),
    messageOf({ id: 'w', parentId: 'a', state: 'queued' }),
    messageOf({ id: 'v', parentId: 'a', state: 'waiting' }),
  ])
  const { messages, leafId } = readIn(text) as ReturnType<typeof remade>
  expect(messages.map(({ state }) => state)).toEqual(['done', 'broken', 'done', 'done'])
  expect(messages[1]).toMatchObject({ streamId: null, endedAt: Date.UTC(2026, 0, 3) })
  expect(messages[1]?.steps[0]).toMatchObject({ endedAt: Date.UTC(2026, 0, 3) })
  expect(new Set(messages.map(({ id }) => id))).toEqual(
    new Set(['new-m000000', 'new-m000001', 'new-m000002', 'new-m000003']),
  )
  expect(messages.map(({ depth }) => depth)).toEqual([0, 1, 2, 2])
  expect(leafId).toBe('new-m000003')
})

test('reads a chain of twenty thousand, and ignores brackets in texts', async () => {
  const messages = Array.from({ length: 20_000 }, (_, at) =>
    messageOf({ id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}`, text: '[[[[{{{{"' }),
  )
  const read = readIn(await textOf(messages)) as ReturnType<typeof remade>
  expect(read.messages.at(-1)).toMatchObject({ depth: 19_999 })
  const exceeded = (text: string, nesting: number, values = 100) =>
    jsonOverLimit(text, { nesting, values })
  expect(exceeded('["[[[[\\"[[[["]', 1)).toBeNull()
  expect(exceeded('[[1]]', 1)).toBe('nesting')
  expect(exceeded('[[],[],"],[],["]', 2, 5)).toBeNull()
  expect(exceeded('[[],[],[]]', 2, 5)).toBe('values')
})

test('reads a file damaged anywhere completely, or refuses it with a reason (fixed seeds)', async () => {
  let refused = 0
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = seeded(seed)
    const text = await textOf(anyMessages(seeded(seed % 7)))
    const at = Math.floor(random() * text.length)
    const junk =
      ['', '"', '{', '}', ',', 'null', '\\', '1e999', '"__proto__":', ' '][
        Math.floor(random() * 10)
      ] ?? ''
    const read = readIn(text.slice(0, at) + junk + text.slice(at + Math.floor(random() * 9)))
    if (!(read instanceof Error)) continue
    refused += 1
    expect(read).toBeInstanceOf(AppError)
    expect((read as AppError).params?.['problem']).toMatch(/^(?:line|field|over|foreign|newer)$/)
  }
  expect(refused).toBeGreaterThan(200)
  expect(Object.prototype).not.toHaveProperty('polluted')
})
