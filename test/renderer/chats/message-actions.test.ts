import { expect, test } from 'vitest'
import {
  canContinue,
  actionOfKey,
  actionsOf,
  placeOf,
  siblingOf,
} from '../../../src/renderer/src/features/chats/thread/message-actions.ts'
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

test('a question that was sent can be edited, one that waits sent or taken back', () => {
  expect(actionsOf(question('q'), false)).toEqual(['copy', 'edit'])
  for (const state of ['queued', 'waiting'] as const)
    expect(actionsOf(question('q', { state }), false)).toEqual(['copy', 'send', 'unqueue'])
})

test('an answer can be stopped while it runs, and asked for again when it is over', () => {
  expect(actionsOf(runningAnswer('a', { text: 'half' }), false)).toEqual([
    'stop',
    'copy',
    'copyRich',
  ])
  expect(actionsOf(answer('a'), false)).toEqual([
    'copy',
    'copyRich',
    'copyPicture',
    'speak',
    'regenerate',
  ])
})

test('what was cut off or stopped can be gone on with, where something came', () => {
  for (const state of ['stopped', 'broken'] as const)
    expect([
      canContinue(answer('a', { state })),
      canContinue(answer('a', { state, text: '' })),
    ]).toEqual([true, false])
  expect(canContinue(answer('a', { finishReason: 'length' }))).toBe(true)
  expect(canContinue(answer('a', { finishReason: 'stop' }))).toBe(false)
  expect(canContinue(answer('a', { state: 'failed' }))).toBe(false)
})

test('a conversation that cannot be changed can be copied and its versions walked', () => {
  const versions = { siblings: ['a', 'b'] }
  expect(actionsOf(answer('a', versions), true)).toEqual([
    'copy',
    'copyRich',
    'copyPicture',
    'speak',
    'previous',
    'next',
  ])
  expect(actionsOf(question('q', { state: 'waiting' }), true)).toEqual(['copy'])
})

test('versions are counted from one, and end where they end', () => {
  const message = answer('b', { siblings: ['a', 'b', 'c'] })
  expect([placeOf(message), siblingOf(message, -1), siblingOf(message, 1)]).toEqual([2, 'a', 'c'])
  expect(siblingOf({ ...message, id: 'c' }, 1)).toBeNull()
})

test('keys do what their message can do, and only alone', () => {
  const message = answer('a')
  expect(actionOfKey(press('r'), message, false)).toBe('regenerate')
  expect(actionOfKey(press('C'), message, false)).toBe('copyRich')
  expect(actionOfKey(press('e'), message, false)).toBeNull()
  expect(actionOfKey(press('r'), message, true)).toBeNull()
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
    expect(actionOfKey(press('c', held), message, false)).toBeNull()
})

test('Escape stops nothing', () => {
  expect(actionOfKey(press('Escape'), runningAnswer('a'), false)).toBeNull()
})
