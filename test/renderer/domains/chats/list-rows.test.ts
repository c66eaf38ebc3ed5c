import { expect, test } from 'vitest'
import {
  anyChat,
  fitsChat,
  placeChat,
} from '../../../../src/renderer/src/domains/chats/list/order.ts'
import { chatRows, rowState } from '../../../../src/renderer/src/domains/chats/list/rows.ts'
import { readTags, toggledTag } from '../../../../src/renderer/src/domains/chats/list/tags.ts'
import { isHeading } from '../../../../src/renderer/src/kit/list-rows.ts'
import { plainAssistant } from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import { conversation } from './conversation.ts'

const now = new Date('2026-03-30T12:00:00').getTime()
const at = (day: string): number => new Date(`2026-${day}T09:00:00`).getTime()
const words = {
  now,
  language: 'en',
  t: (key: string) => key.split('.').at(-1) ?? '',
  folder: (id: string | null) => (id === 'f-1' ? 'Work' : ''),
}
const headings = (rows: ReturnType<typeof chatRows>) =>
  rows.map((row) => (isHeading(row) ? `# ${row.heading}` : row.key))

test('shows pinned chats under their own heading, and the others under their days', () => {
  const rows = chatRows(
    [
      conversation({ id: 'old', pinnedAt: 5, lastAt: at('01-02') }),
      conversation({ id: 'now', lastAt: now }),
      conversation({ id: 'also', lastAt: at('03-30') }),
      conversation({ id: 'before', lastAt: at('03-29') }),
      conversation({ id: 'week', lastAt: at('03-25') }),
      conversation({ id: 'month', lastAt: at('02-10') }),
    ],
    words,
  )
  expect(headings(rows)).toEqual([
    '# pinned',
    'old',
    '# today',
    'now',
    'also',
    '# yesterday',
    'before',
    '# thisWeek',
    'week',
    '# February 2026',
    'month',
  ])
})

test('gives a row room for folder and tags, and the time of recent ones', () => {
  const rows = chatRows(
    [
      conversation({ id: 'a', lastAt: now, folderId: 'f-1' }),
      conversation({ id: 'b', lastAt: now, tags: ['x'] }),
      conversation({ id: 'c', lastAt: at('01-02') }),
    ],
    words,
  ).filter((row) => !isHeading(row))
  expect(rows.map((row) => row.rem > 4)).toEqual([true, true, false])
  expect(rows.map((row) => 'recent' in row && row.recent)).toEqual([true, true, false])
})

test('shows the state of running work before the draft', () => {
  const draft = { text: ' so ', attachments: [] }
  expect(rowState(conversation({ state: 'waiting', draft }))).toBe('waiting')
  expect(rowState(conversation({ draft }))).toBe('draft')
  expect(rowState(conversation({ draft: { text: ' ', attachments: [] } }))).toBeNull()
})

test('matches a chat by folder, tag and responder, but never a temporary or trashed one', () => {
  const chat = conversation({ folderId: 'f-1', tags: ['x'] })
  expect(fitsChat(chat, anyChat)).toBe(true)
  expect(fitsChat(chat, { folderId: 'f-1', tag: 'x', who: 'agent' })).toBe(true)
  expect(fitsChat(chat, { ...anyChat, folderId: 'f-2' })).toBe(false)
  expect(fitsChat(chat, { ...anyChat, tag: 'y' })).toBe(false)
  expect(fitsChat(chat, { ...anyChat, who: 'a-1' })).toBe(false)
  const assistant = conversation({ settings: { ...plainAssistant, assistantId: 'a-1' } })
  expect(fitsChat(assistant, { ...anyChat, who: 'a-1' })).toBe(true)
  expect(fitsChat({ ...chat, temporary: true }, anyChat)).toBe(false)
  expect(fitsChat({ ...chat, deletedAt: 1 }, anyChat)).toBe(false)
})

test('moves a changed chat to its position; one older than the loaded pages waits for its page', () => {
  const list = [
    conversation({ id: 'p', pinnedAt: 1, lastAt: 1 }),
    conversation({ id: 'a', lastAt: 30 }),
    conversation({ id: 'b', lastAt: 20 }),
  ]
  const put = (chat: ReturnType<typeof conversation>, whole = true, fits = true) =>
    placeChat(list, chat, { fits, whole }).map(({ id }) => id)
  expect(put(conversation({ id: 'b', lastAt: 40 }))).toEqual(['p', 'b', 'a'])
  expect(put(conversation({ id: 'b', lastAt: 20, pinnedAt: 3 }))).toEqual(['b', 'p', 'a'])
  expect(put(conversation({ id: 'c', lastAt: 10 }))).toEqual(['p', 'a', 'b', 'c'])
  expect(put(conversation({ id: 'c', lastAt: 10 }), false)).toEqual(['p', 'a', 'b'])
  expect(put(conversation({ id: 'a', lastAt: 30 }), true, false)).toEqual(['p', 'b'])
})

test('parses tags as people write them, in both scripts', () => {
  expect(readTags(' work, #ideas，读书、work ;; ')).toEqual(['work', 'ideas', '读书'])
  expect(readTags(Array.from({ length: 30 }, (_, i) => `t${i}`).join(',')).length).toBe(20)
  expect(readTags('x'.repeat(100))[0]?.length).toBe(64)
  expect(toggledTag(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggledTag(['a', 'b'], 'a')).toEqual(['b'])
})
