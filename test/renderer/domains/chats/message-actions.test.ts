import { expect, test } from 'vitest'
import {
  canContinue,
  actionOfKey,
  actionsOf,
  placeOf,
  siblingOf,
} from '../../../../src/renderer/src/domains/chats/thread/message-actions.ts'
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
