import { expect, test } from 'vitest'
import { createLibraryQuestions } from '../../../../../src/local-service/library-questions.ts'
import type { LocalServiceMessage } from '../../../../../src/local-service/protocol.ts'
import { keywords } from '../../../../../src/main/domains/library/service/keywords.ts'
import { createLibrarySearch } from '../../../../../src/main/domains/library/service/library-search.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { aMessage, newChat } from '../../chats/store/fixture.ts'
import { newDocument, parse } from '../../documents/store/fixture.ts'
import { addItem, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { transcribeAt, newMeeting } from '../../audio/store/fixture.ts'

const withNewStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
  const { home, remove } = temporaryHome()
  try {
    await withStore(home, work)
  } finally {
    remove()
  }
}

test('excludes earlier questions and answers, so that an answer does not quote its question', () =>
  withNewStore(async (store) => {
    addItem(store, 'a', 'Monday', 'The printer is broken again.')
    newChat(store, 'c', { title: 'What about the printer?' })
    store.chats.add(aMessage('m', null, { text: 'What about the printer?' }))
    const found = await createLibrarySearch(store)('What about the printer?', 5)
    expect(found.map(({ itemId }) => itemId)).toEqual(['a'])
  }))

test('searches a question by its topic words, not by its question words', () => {
  expect(keywords('What did we say about the printers?')).toEqual(['printer'])
  expect(keywords('我们什么时候讨论了租金？')).toEqual(['讨论', '租金'])
  expect(keywords('Who is it?')).toEqual([])
})

test('returns passages that share words with the question, most and rarest shared words first', () =>
  withNewStore(async (store) => {
    addItem(store, 'a', 'Monday', 'We order paper for the printer every month.')
    addItem(store, 'b', 'Tuesday', 'The printer is broken again.')
    addItem(store, 'c', 'Wednesday', 'Nothing of interest was said.')
    addItem(store, 'd', '租金会议', '房东把办公室的租金提高到每月八千元。')
    addItem(store, 'e', 'Rent agreement', 'A long text without the words of its title.')
    const search = createLibrarySearch(store)
    const found = await search('How much paper did the printer get?', 5)
    expect(found.map(({ itemId }) => itemId)).toEqual(['a', 'b'])
    expect(found[0]).toEqual({
      itemId: 'a',
      title: 'Monday',
      text: 'We order paper for the printer every month.',
      times: [0],
    })
    expect(await search('printer', 1)).toHaveLength(1)
    expect((await search('租金是多少？', 5)).map(({ itemId }) => itemId)).toEqual(['d'])
    const [byTitle] = await search('agreement', 5)
    expect(byTitle?.text).toBe('A long text without the words of its title.')
    expect(await search('zebra', 5)).toEqual([])
  }))

test('returns the part of a long text around the words, not its beginning', () =>
  withNewStore(async (store) => {
    const filler = 'Something else was said here. '.repeat(400)
    addItem(store, 'long', 'Long', `${filler}The giraffe costs nine pounds. ${filler}`)
    const [passage] = await createLibrarySearch(store)('giraffe', 3)
    expect(passage?.text).toContain('The giraffe costs nine pounds.')
    expect(passage?.text.length).toBeLessThanOrEqual(1200)
  }))

test('an unanswered request times out, and a stopped one ends immediately', async () => {
  const messages: LocalServiceMessage[] = []
  const questions = createLibraryQuestions((message) => void messages.push(message), 50)
  const passage = { itemId: 'i', title: 't', text: 'x' }
  const answered = questions.ask('one', 3)
  expect(messages).toEqual([{ type: 'search', id: 1, query: 'one', limit: 3 }])
  questions.answered({ type: 'passages', id: 1, passages: [passage] })
  expect(await answered).toEqual([passage])
  expect(await questions.ask('two', 3)).toEqual([])
  // Too late: the request has already ended.
  questions.answered({ type: 'passages', id: 2, passages: [passage] })
  const patient = createLibraryQuestions(() => undefined, 60_000)
  const open = patient.ask('three', 3)
  patient.stop()
  expect(await open).toEqual([])
  expect(await patient.ask('four', 3)).toEqual([])
})

test('returns the lines around the words for a meeting, and their page for a document', () =>
  withNewStore(async (store) => {
    newMeeting(store, 'm')
    const talk = ['Good morning.', 'The budget is nine thousand pounds.', 'Anna pays for it.']
    transcribeAt(store, 'm', 'm-d', 0, 100_000, talk)
    newDocument(store, 'd', { title: 'Tides' })
    const pages = [['Low water.'], ['The keeper writes a diary.', 'The lighthouse is white.']]
    parse(store, 'd', 'v', 1, pages)
    const search = createLibrarySearch(store)
    const [meeting] = await search('What did we say about the budget?', 3)
    expect(meeting).toMatchObject({ itemId: 'm' })
    expect(meeting?.text).toContain('The budget is nine thousand pounds.\nAnna pays for it.')
    const starts = store.meetings.lines('m').map(({ startMs }) => Math.floor(startMs / 1000))
    expect(meeting?.times).toEqual(starts)
    const [document] = await search('Which color does the lighthouse have?', 3)
    expect(document).toMatchObject({ itemId: 'd', page: 2 })
    expect(document?.text).toContain('The keeper writes a diary.')
    expect(document?.text).toContain('The lighthouse is white.')
    expect(document?.text).not.toContain('Low water')
    const [byTitle] = await search('tides', 3)
    expect(byTitle?.text).toContain('Low water.')
  }))
