import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatDraft } from '../../../../src/shared/model/chat.ts'
import { useDrafts } from '../../../../src/renderer/src/domains/chats/composer/drafts.ts'
import { rendererSetup } from '../../stores.ts'
import { failure } from '../../fake-data.ts'
import { conversation } from './conversation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const words = (text: string): ChatDraft => ({ text, attachments: [] })
const image = { kind: 'image', mediaId: 'm-1', name: 'a.png' } as const

function open(scenario = {}) {
  const app = rendererSetup(scenario)
  app.main.answer('chats.draft', () => ({}))
  const savedDrafts = () =>
    app.main.requests.filter(({ route }) => route === 'chats.draft').map(({ payload }) => payload)
  return { ...app, savedDrafts, drafts: app.run(useDrafts) }
}

test('saves input when typing pauses, separately for each chat', async () => {
  const { drafts, savedDrafts, settle } = open()
  drafts.set('a', words('W'))
  drafts.set('a', words('Wh'))
  drafts.set('b', words('How'))
  await settle()
  expect(savedDrafts()).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(savedDrafts()).toEqual([
    { id: 'a', draft: words('Wh') },
    { id: 'b', draft: words('How') },
  ])
})

test('saves immediately when leaving, and saves no draft for an empty field', async () => {
  const { drafts, savedDrafts, settle } = open()
  drafts.set('a', words('What'))
  await drafts.flush()
  drafts.set('a', words(' \n'))
  await drafts.flush()
  await settle()
  expect(savedDrafts()).toEqual([
    { id: 'a', draft: words('What') },
    { id: 'a', draft: null },
  ])
})

test('saves an attachment alone as a draft, and the same draft only once', async () => {
  const { drafts, savedDrafts } = open()
  drafts.add('a', image)
  drafts.add('a', image)
  await drafts.flush()
  drafts.set('a', { text: '', attachments: [image] })
  await drafts.flush()
  expect(savedDrafts()).toEqual([{ id: 'a', draft: { text: '', attachments: [image] } }])
})

test('keeps a draft that could not be saved, and retries it', async () => {
  let works = false
  const { drafts, main, client } = open()
  const requestSpy = vi.spyOn(client, 'request')
  requestSpy.mockImplementation(async () =>
    works ? { ok: true, data: {} as never } : { ok: false, error: failure('DISK_FULL') },
  )
  drafts.set('a', words('What'))
  await drafts.flush()
  expect(drafts.of('a').text).toBe('What')
  works = true
  drafts.set('b', words('Else'))
  await drafts.flush()
  expect(requestSpy.mock.calls.map(([, payload]) => (payload as { id: string }).id)).toEqual([
    'a',
    'a',
    'b',
  ])
  expect(main.requests).toEqual([])
})

test('keeps input without an open chat only in memory', async () => {
  const { drafts, savedDrafts } = open()
  drafts.set('', words('Before'))
  await drafts.flush()
  expect([drafts.of('').text, savedDrafts()]).toEqual(['Before', []])
})

test('restores a saved draft, and never overwrites input with a draft from elsewhere', async () => {
  const { drafts, savedDrafts } = open()
  drafts.meet(conversation({ draft: words('Yesterday') }))
  expect(drafts.of('c-1').text).toBe('Yesterday')
  await drafts.flush()
  expect(savedDrafts()).toEqual([])
  drafts.set('c-1', words('Yesterday and today'))
  drafts.meet(conversation({ draft: words('A queued question') }))
  expect(drafts.of('c-1').text).toBe('Yesterday and today')
  // Sent: the field is empty, and main reports the old draft once more.
  drafts.set('c-1', words(''))
  await drafts.flush()
  drafts.meet(conversation({ draft: words('A queued question') }))
  expect(drafts.of('c-1').text).toBe('')
  // Taken back: a draft that differs from the previous one.
  drafts.meet(conversation({ draft: null }))
  drafts.meet(conversation({ draft: words('A queued question') }))
  expect(drafts.of('c-1').text).toBe('A queued question')
})

test('inserts a filled-in text before the input, with the attachments of both', () => {
  const { drafts } = open()
  drafts.set('a', { text: 'And why?', attachments: [image] })
  drafts.fill('a', { text: 'What is it?', attachments: [{ ...image, mediaId: 'm-2' }, image] })
  expect(drafts.of('a')).toEqual({
    text: 'What is it?\n\nAnd why?',
    attachments: [{ ...image, mediaId: 'm-2' }, image],
  })
})

test('does not duplicate a withdrawn question, however main reported it', async () => {
  const { drafts } = open()
  drafts.meet(conversation())
  drafts.meet(conversation({ draft: words('What is it?') }))
  drafts.fill('c-1', words('What is it?'))
  expect(drafts.of('c-1').text).toBe('What is it?')
  drafts.set('c-1', words('And why?'))
  drafts.fill('c-1', words('What is it?\n\nAnd why?'))
  expect(drafts.of('c-1').text).toBe('What is it?\n\nAnd why?')
})

test('ignores main’s old draft while the empty one is being sent', async () => {
  const { drafts, main, settle } = open()
  drafts.meet(conversation())
  drafts.set('c-1', words('What?'))
  await drafts.flush()
  drafts.set('c-1', words(''))
  const saved = drafts.flush()
  await Promise.resolve()
  drafts.meet(conversation({ draft: words('What?') }))
  await saved
  await settle()
  expect([drafts.of('c-1').text, main.requests.at(-1)?.payload]).toEqual([
    '',
    { id: 'c-1', draft: null },
  ])
})

test('deletes the draft of a chat with the chat', async () => {
  const { drafts, main, settle } = open()
  await settle()
  drafts.set('a', words('What'))
  main.app({ type: 'chat.removed', ids: ['a'] })
  expect(drafts.of('a').text).toBe('')
})

test('shows drafts from another page if nothing was typed, and that they were sent there', async () => {
  const { drafts, savedDrafts } = open()
  drafts.meet(conversation({ draft: words('Here') }))
  drafts.meet(conversation({ draft: words('Here and there') }))
  expect(drafts.of('c-1').text).toBe('Here and there')
  drafts.set('c-1', words('Here and there, too'))
  await drafts.flush()
  drafts.meet(conversation({ draft: null }))
  expect(drafts.of('c-1').text).toBe('')
  await drafts.flush()
  expect(savedDrafts()).toEqual([{ id: 'c-1', draft: words('Here and there, too') }])
})

test('saves every two seconds while typing without a pause', async () => {
  const { drafts, savedDrafts } = open()
  for (let letters = 1; letters <= 11; letters++) {
    drafts.set('a', words('x'.repeat(letters)))
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(savedDrafts()).toEqual([{ id: 'a', draft: words('x'.repeat(10)) }])
})
