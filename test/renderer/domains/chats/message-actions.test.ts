import { expect, test } from 'vitest'
import { localAccountId } from '../../../../src/shared/provider/profiles.ts'
import {
  defaultAssistantId,
  predefinedAssistants,
} from '../../../../src/shared/provider/assistants.ts'
import { engineNames } from '../../../../src/shared/provider/engine-names.ts'
import {
  canAnswerOnDevice,
  canContinue,
  isFirstOnDevice,
  actionOfKey,
  actionsOf,
  placeOf,
  siblingOf,
} from '../../../../src/renderer/src/domains/chats/thread/message-actions.ts'
import { conversation } from './conversation.ts'
import { answer, question, runningAnswer } from './messages.ts'

const press = (key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  Object.assign(new Event('keydown'), {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    repeat: false,
    ...more,
  }) as KeyboardEvent

test('allows editing a sent question, and sending or taking back a waiting one', () => {
  expect(actionsOf(question('q'), false)).toEqual(['copy', 'edit'])
  for (const state of ['queued', 'waiting'] as const)
    expect(actionsOf(question('q', { state }), false)).toEqual(['copy', 'send', 'unqueue'])
})

test('allows stopping a running answer, and regenerating a finished one', () => {
  expect(actionsOf(runningAnswer('a', { text: 'half' }), false)).toEqual([
    'stop',
    'copy',
    'copyRich',
  ])
  expect(actionsOf(answer('a'), false)).toEqual([
    'copy',
    'copyRich',
    'copyImage',
    'speak',
    'regenerate',
  ])
})

test('allows continuing an interrupted or stopped answer if any of it was received', () => {
  for (const state of ['stopped', 'broken'] as const)
    expect([
      canContinue(answer('a', { state })),
      canContinue(answer('a', { state, text: '' })),
    ]).toEqual([true, false])
  expect(canContinue(answer('a', { finishReason: 'length' }))).toBe(true)
  expect(canContinue(answer('a', { finishReason: 'stop' }))).toBe(false)
  expect(canContinue(answer('a', { state: 'failed' }))).toBe(false)
})

test('allows copying a read-only chat and viewing its versions', () => {
  const versions = { siblings: ['a', 'b'] }
  expect(actionsOf(answer('a', versions), true)).toEqual([
    'copy',
    'copyRich',
    'copyImage',
    'speak',
    'previous',
    'next',
  ])
  expect(actionsOf(question('q', { state: 'waiting' }), true)).toEqual(['copy'])
})

test('offers This computer where the account cannot be reached and it can answer', () => {
  const failedBy = (code: 'OFFLINE' | 'ACCOUNT_REMOVED' | 'CONTENT_BLOCKED') =>
    answer('a', { state: 'failed', text: '', error: { code, retriable: true, at: 1 } as never })
  const assistant = (assistantId: string) => ({
    accountId: 'other',
    settings: {
      kind: 'assistant',
      assistantId,
      model: null,
      doSample: null,
      translate: null,
    } as const,
  })
  const asked = question('q')
  const offline = failedBy('OFFLINE')
  expect(canAnswerOnDevice(offline, asked, assistant(defaultAssistantId))).toBe(true)
  const removed = failedBy('ACCOUNT_REMOVED')
  expect(canAnswerOnDevice(removed, asked, assistant(defaultAssistantId))).toBe(true)
  expect(canAnswerOnDevice(failedBy('CONTENT_BLOCKED'), asked, assistant(defaultAssistantId))).toBe(
    false,
  )
  const local = { ...assistant(defaultAssistantId), accountId: localAccountId }
  expect(canAnswerOnDevice(offline, asked, local)).toBe(false)
  // It has no such assistant, no knowledge bases of another account, and sees no images.
  expect(canAnswerOnDevice(offline, asked, assistant('custom'))).toBe(false)
  const drawing = predefinedAssistants.find(({ purpose }) => purpose === 'drawing')?.id ?? ''
  expect(canAnswerOnDevice(offline, asked, assistant(drawing))).toBe(false)
  const agent = { ...conversation({}), accountId: 'other' }
  expect(agent.settings.kind).toBe('agent')
  expect(canAnswerOnDevice(offline, asked, agent)).toBe(false)
  const image = { kind: 'image', mediaId: 'm', name: 'a.png' } as never
  const seen = question('q', { attachments: [image] })
  expect(canAnswerOnDevice(offline, seen, assistant(defaultAssistantId))).toBe(false)
})

test('says that there is no language model only where This computer answers', () => {
  const first = answer('a', { engine: engineNames.rules })
  expect(isFirstOnDevice(first, localAccountId)).toBe(true)
  expect(isFirstOnDevice(first, 'another')).toBe(false)
  expect(isFirstOnDevice({ ...first, depth: 3 }, localAccountId)).toBe(false)
})

test('counts versions from one, and stops at the ends', () => {
  const message = answer('b', { siblings: ['a', 'b', 'c'] })
  expect([placeOf(message), siblingOf(message, -1), siblingOf(message, 1)]).toEqual([2, 'a', 'c'])
  expect(siblingOf({ ...message, id: 'c' }, 1)).toBeNull()
})

test('handles only keys that apply to the message, without modifiers', () => {
  const message = answer('a')
  expect(actionOfKey(press('r'), message, false)).toBe('regenerate')
  expect(actionOfKey(press('C'), message, false)).toBe('copyRich')
  expect(actionOfKey(press('e'), message, false)).toBeNull()
  expect(actionOfKey(press('r'), message, true)).toBeNull()
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
    expect(actionOfKey(press('c', held), message, false)).toBeNull()
})

test('stops nothing with Escape', () => {
  expect(actionOfKey(press('Escape'), runningAnswer('a'), false)).toBeNull()
})
