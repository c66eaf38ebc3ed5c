import { expect, test } from 'vitest'
import { effectScope, ref } from 'vue'
import {
  fateOf,
  maxAttachments,
  withAttachment,
} from '../../../../src/renderer/src/domains/chats/composer/attachments.ts'
import { blockedBy } from '../../../../src/renderer/src/domains/chats/composer/composer-readiness.ts'
import {
  slashEntries,
  slashQuery,
  withPrompt,
  type SlashEntry,
} from '../../../../src/renderer/src/domains/chats/composer/slash.ts'
import { useSlash } from '../../../../src/renderer/src/domains/chats/composer/use-slash.ts'
import { filled, openNames } from '../../../../src/renderer/src/domains/chats/prompts/variables.ts'
import {
  plainAgent,
  plainAssistant,
} from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import { questionChars } from '../../../../src/shared/chats/question.ts'
import type { ChatAttachment } from '../../../../src/shared/model/chat.ts'

const prompt = (name: string, text = 'Text') => ({ id: name, name, text, updatedAt: 1 })
const commands = [
  { command: 'new', label: '新建对话' },
  { command: 'settings', label: 'Chat settings' },
] as const
const keys = (entries: readonly SlashEntry[]) => entries.map(({ key }) => key)

test('triggers on a slash only at the very beginning, up to the caret, in one line', () => {
  expect(slashQuery('/', 1)).toBe('')
  expect(slashQuery('/sum up', 4)).toBe('sum')
  expect(slashQuery('/sum', 0)).toBe(null)
  expect(slashQuery(' /sum', 5)).toBe(null)
  expect(slashQuery('/a\nb', 4)).toBe(null)
  expect(slashQuery('/usr/bin is what?', 8)).toBe(null)
  expect(slashQuery(`/${'a'.repeat(65)}`, 66)).toBe(null)
})

test('orders prompts by name prefix, then by words of the name, then by text', () => {
  const prompts = [prompt('Draft a letter'), prompt('Letter'), prompt('Note', 'A letter to Ada')]
  expect(keys(slashEntries('letter', prompts, commands))).toEqual([
    'prompt Letter',
    'prompt Draft a letter',
    'prompt Note',
  ])
  expect(keys(slashEntries('', prompts, commands))).toHaveLength(5)
  expect(slashEntries('nothing of it', prompts, commands)).toEqual([])
})

test('finds commands by their localized words and by their own name', () => {
  expect(keys(slashEntries('新建', [], commands))).toEqual(['command new'])
  expect(keys(slashEntries('new', [], commands))).toEqual(['command new'])
  expect(keys(slashEntries('chat set', [], commands))).toEqual(['command settings'])
})

function menu(initial: string) {
  const text = ref(initial)
  const taken: string[] = []
  const scope = effectScope()
  const slash = scope.run(() =>
    useSlash({
      text: () => text.value,
      prompts: () => [prompt('alpha'), prompt('beta')],
      commands: () => commands,
      take: ({ key }) => taken.push(key),
    }),
  )
  if (!slash) throw new Error('no scope')
  slash.caret.value = initial.length
  const press = (key: string, shiftKey = false, ctrlKey = false) =>
    slash.press({ key, shiftKey, ctrlKey, metaKey: false })
  return { slash, text, taken, press }
}

test('wraps with the arrow keys and accepts with Enter and Tab, unless with Shift or Ctrl/Cmd', () => {
  const { slash, taken, press } = menu('/')
  expect(press('ArrowUp')).toBe(true)
  expect(slash.chosen.value?.key).toBe('command settings')
  press('ArrowDown')
  press('ArrowDown')
  expect(slash.chosen.value?.key).toBe('prompt beta')
  expect([press('Enter', true), press('Enter', false, true)]).toEqual([false, false])
  expect(press('Enter')).toBe(true)
  press('Tab')
  expect(taken).toEqual(['prompt beta', 'prompt beta'])
  expect(press('a')).toBe(false)
})

test('closes with Escape until the slash is deleted, and ignores keys without matches', async () => {
  const { slash, text, press } = menu('/')
  expect(press('Escape')).toBe(true)
  expect([slash.entries.value, press('Enter'), press('ArrowUp')]).toEqual([[], false, false])
  text.value = ''
  await Promise.resolve()
  text.value = '/b'
  slash.caret.value = 2
  await Promise.resolve()
  expect(keys(slash.entries.value)).toEqual(['prompt beta', 'command settings'].slice(0, 1))
  text.value = '/nobody knows'
  slash.caret.value = 13
  expect(press('Enter')).toBe(false)
})

test('replaces only the slash command with the prompt', () => {
  expect(withPrompt('/let', 4, 'Dear Ada')).toBe('Dear Ada')
  expect(withPrompt('/let, and more', 4, 'Dear Ada')).toBe('Dear Ada, and more')
  expect(withPrompt('What is it?', 11, 'Dear Ada')).toBe('What is it?\n\nDear Ada')
  expect(withPrompt(' ', 1, 'Dear Ada')).toBe('Dear Ada')
})

test('ignores arrow keys in an empty field', () => {
  const { press, taken } = menu('')
  expect([press('ArrowUp'), press('ArrowDown'), taken]).toEqual([false, false, []])
})

test('asks for each name of a prompt once, and fills in today automatically', () => {
  const text = 'Write to {{name}} on {{ date }} about {{topic}}: {{name}}, {{}} {{a{b}}'
  expect(openNames(text)).toEqual(['name', 'topic'])
  expect(filled(text, new Map([['name', '$& Ada']]), '3 May')).toBe(
    'Write to $& Ada on 3 May about {{topic}}: $& Ada, {{}} {{a{b}}',
  )
  expect(openNames('{{Date}} {{clipboard}}')).toEqual(['clipboard'])
})

const image = (mediaId: string): ChatAttachment => ({ kind: 'image', mediaId, name: mediaId })
const file: ChatAttachment = { kind: 'file', mediaId: 'f', name: 'a.csv', fileId: null }

test('allows images for all, and files only for assistants', () => {
  const png = { name: 'a.png', type: 'image/png' }
  const csv = { name: 'a.csv', type: 'text/csv' }
  const svg = { name: 'a.svg', type: 'image/svg+xml' }
  expect([fateOf(png, 'agent'), fateOf(csv, 'agent'), fateOf(svg, 'agent')]).toEqual([
    'picture',
    'refused',
    'refused',
  ])
  expect([fateOf(csv, 'assistant'), fateOf(svg, 'assistant')]).toEqual(['file', 'file'])
})

test('attaches an item once, a document also with other pages, and never more than the maximum', () => {
  const part = { kind: 'document', itemId: 'd', title: 'D', pages: '1-3' } as const
  const all = [part, { ...part, pages: '4' }, part, image('a'), image('a')]
  expect(all.reduce<readonly ChatAttachment[]>(withAttachment, [])).toHaveLength(3)
  const full = Array.from({ length: maxAttachments }, (_, at) => image(`m-${at}`))
  expect(withAttachment(full, image('more'))).toBe(full)
})

test('reports what blocks a question, most severe first', () => {
  const agent = { ...plainAgent, knowledgeIds: ['b'] }
  const assistant = { ...plainAssistant, assistantId: 'x' }
  const draft = { text: 'What?', attachments: [] }
  const state = { draft, settings: agent, under: 0, closed: false }
  expect(blockedBy(state)).toBe(null)
  expect(blockedBy({ ...state, settings: plainAgent })).toEqual({ why: 'bases' })
  expect(blockedBy({ ...state, draft: { text: ' ', attachments: [] } })).toEqual({ why: 'empty' })
  expect(blockedBy({ ...state, draft: { text: '', attachments: [image('a')] } })).toBe(null)
  expect(blockedBy({ ...state, under: 1 })).toEqual({ why: 'coming' })
  expect(blockedBy({ ...state, closed: true })).toEqual({ why: 'closed' })
  const long = { text: 'a'.repeat(questionChars + 1), attachments: [] }
  expect(blockedBy({ ...state, draft: long })).toEqual({ why: 'long' })
  const withFile = { text: 'What?', attachments: [file] }
  expect(blockedBy({ ...state, draft: withFile })).toEqual({ why: 'untaken', keys: ['file f'] })
  expect(blockedBy({ ...state, draft: withFile, settings: assistant })).toBe(null)
})
