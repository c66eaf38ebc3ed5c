import { expect, onTestFinished, test } from 'vitest'
import { keyPhrases } from '../../../../../../src/main/domains/audio/service/titles/key-phrases.ts'
import {
  readTitles,
  titlePrompt,
} from '../../../../../../src/main/domains/audio/service/titles/title-prompt.ts'
import { createTitles } from '../../../../../../src/main/domains/audio/service/titles/titles.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import type { Settings } from '../../../../../../src/shared/contract/settings.ts'
import { engineNotices } from '../../../../../../src/shared/provider/engine-notices.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'
import { aMeeting, transcribeAt } from '../../store/fixture.ts'

const talk = [
  'Okay, good morning everyone. Can you hear me?',
  'So, we need to talk about the release of version two today.',
  'The search index is not finished, so the release moves to the end of the month.',
  'I think the index needs one more week.',
  'We decided that the release moves to the end of the month.',
]
const launch = { query: 'release', replacement: 'launch', matchCase: false, wholeWords: false }
const best = 'Release moves to the end of the month'
const lines = (texts: readonly string[]) => texts.map((text) => ({ text }))

test('quotes the most informative phrases of a transcript', () => {
  expect(keyPhrases(lines(talk), 2)[0]).toBe(best)
  const chinese = keyPhrases(
    lines([
      '大家好，我们先讨论春季版本的发布计划。',
      '搜索索引还需要一周时间，所以发布计划推迟到月底。',
    ]),
    2,
  )
  expect(chinese[0]).toContain('发布计划')
  // Nothing is invented: each phrase is part of a line.
  for (const [said, phrases] of [[talk, keyPhrases(lines(talk), 3)] as const])
    for (const phrase of phrases)
      expect(said.some((text) => text.toLowerCase().includes(phrase.toLowerCase()))).toBe(true)
  expect(keyPhrases(lines(['Hello.', 'Yes.', '嗯，好的。']), 3)).toEqual([])
  expect(keyPhrases([], 3)).toEqual([])
})

test('reads titles without what models add to them', () => {
  expect(
    readTitles('1. "Spring release"\n- **Index**: later.\nTitle 3: 发布计划。\nmore', 3),
  ).toEqual(['Spring release', 'Index: later', '发布计划'])
  expect(readTitles('Here are three titles:\n\nSpring release', 3)).toEqual(['Spring release'])
  expect(readTitles('x'.repeat(200), 3)).toEqual([])
})

test('sends the beginning and the end of a long transcript, inside an unguessable fence', () => {
  const prompt = titlePrompt(
    lines(['first </meeting-other>', 'x'.repeat(20_000), 'last']),
    'en',
    'key',
  )
  expect(prompt.length).toBeLessThan(9_500)
  expect(prompt).toMatch(/<meeting-key>\nfirst [^]*\nlast\n<\/meeting-key>$/)
})

type Answer = { readonly text: string; readonly notice?: string } | AppError

/** Two transcribed meetings with automatic titles, one of them on This computer, and answers of the provider. */
async function setup(titleSuggestions: Settings['titleSuggestions'], answers: Answer[] = []) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  store.settings.update({ titleSuggestions })
  const add = (id: string, accountId: string): void => {
    store.meetings.create(aMeeting(id, { titleIsAutomatic: true, accountId }))
    transcribeAt(store, id, `${id}-a`, 0, 0, talk)
  }
  add('here', 'this-computer')
  add('remote', 'account-1')
  const prompts: string[] = []
  const shown: string[] = []
  const log = memoryLog()
  const titles = createTitles({
    store,
    clock: Date.now,
    ids: () => `id-${prompts.length}-${shown.length}`,
    log,
    mask: (text) => text.replaceAll('s3cret', '…'),
    after(_ms, work) {
      work()
      return () => undefined
    },
    workQueue: createWorkQueue({
      clock: Date.now,
      log,
      random: () => 0,
      after(_ms, work) {
        const timer = setTimeout(work, 0)
        return () => clearTimeout(timer)
      },
    }),
    accounts: { target: async () => ({}) as never },
    api: {
      agentChat: {} as never,
      assistants: {
        chat: async (_target: unknown, { messages }: { messages: { content: string }[] }) => {
          prompts.push(messages[0]?.content ?? '')
          const answer = answers.shift() ?? new AppError('BAD_REQUEST', 'no answer')
          if (answer instanceof AppError) throw answer
          return {
            value: { text: answer.text, model: 'glm' },
            engine: 'glm',
            notice: answer.notice ?? null,
            raw: { status: 200, contentType: 'text/plain', body: answer.text },
          }
        },
      } as never,
    },
    onTitles: (id) => void shown.push(id),
  })
  onTestFinished(async () => {
    await titles.shutdown()
    await store.close()
    remove()
  })
  const suggested = (id: string) => store.meetings.get(id)?.titleSuggestion ?? null
  return { store, titles, prompts, shown, suggested, add }
}

test('quotes the transcript, once, and sends nothing without permission', async () => {
  const { store, titles, prompts, shown, suggested } = await setup('transcript')
  titles.nudge()
  titles.nudge()
  expect(shown).toEqual(['here', 'remote'])
  for (const id of shown) expect(suggested(id)).toMatchObject({ engine: null })
  expect(suggested('remote')?.titles[0]).toBe(best)
  expect(prompts).toEqual([])
  // The suggestion is for the automatic title only.
  const { title = '' } = store.meetings.get('here') ?? {}
  store.items.rename('here', best, 1)
  expect(suggested('here')).toBeNull()
  store.items.rename('here', title, 2)
  expect(suggested('here')?.titles[0]).toBe(best)
  store.meetings.dismissTitles('here', true)
  expect(suggested('here')).toBeNull()
  titles.nudge()
  expect(shown).toHaveLength(2)
  store.meetings.dismissTitles('here', false)
  expect(suggested('here')?.titles[0]).toBe(best)
})

test('follows corrections of the transcript; titles of an account disappear', async () => {
  const { store, titles, shown, suggested } = await setup('account', [{ text: 'Release in May' }])
  titles.nudge()
  await expect.poll(() => shown).toEqual(['here', 'remote'])
  titles.correct('remote', () =>
    store.meetings.edit('remote', { type: 'addSpeaker', name: 'Ann', lineIds: [] }),
  )
  expect(suggested('remote')?.titles).toEqual(['Release in May'])
  for (const id of ['here', 'remote'])
    titles.correct(id, () => store.meetings.edit(id, { type: 'replace', ...launch }))
  expect(suggested('here')?.titles[0]).toBe('Launch moves to the end of the month')
  expect(suggested('remote')).toBeNull()
})

test('offers no title that an account wrote from a text that was corrected meanwhile', async () => {
  const { store, titles, shown, suggested } = await setup('account', [
    {
      get text() {
        store.meetings.edit('remote', { type: 'replace', ...launch })
        return 'Release in May'
      },
    },
  ])
  titles.nudge()
  await expect.poll(() => shown).toContain('remote')
  expect(suggested('remote')).toMatchObject({ engine: null })
  expect(suggested('remote')?.titles[0]).toBe('Launch moves to the end of the month')
})

test('waits until a meeting is transcribed, and leaves titles of the user alone', async () => {
  const { store, titles, suggested } = await setup('transcript')
  store.meetings.create(aMeeting('named'))
  transcribeAt(store, 'named', 'n-a', 0, 0, talk)
  store.meetings.create(aMeeting('open', { titleIsAutomatic: true }))
  transcribeAt(store, 'open', 'o-a', 0, 0, talk)
  store.meetings.addSegments(
    'open',
    0,
    [
      {
        id: 'o-b',
        channel: 0,
        startMs: 60_000,
        endMs: 70_000,
        voiced: [],
        forcedStart: false,
        forcedEnd: false,
      },
    ],
    0,
  )
  titles.nudge()
  expect(suggested('named')).toBeNull()
  expect(suggested('open')).toBeNull()
  store.meetings.updateSegment('o-b', { state: 'silent' })
  titles.nudge()
  expect(suggested('open')?.titles[0]).toBe(best)
})

test('asks the account of the meeting if the user chose that', async () => {
  const { store, titles, prompts, shown, suggested } = await setup('account', [
    { text: 'Release in s3cret May\nIndex\nVersion two' },
  ])
  titles.nudge()
  await expect.poll(() => shown).toEqual(['here', 'remote'])
  expect(suggested('here')).toMatchObject({ engine: null })
  expect(suggested('remote')).toEqual({
    titles: ['Release in … May', 'Index', 'Version two'],
    engine: 'glm',
  })
  expect(prompts).toHaveLength(1)
  expect(prompts[0]).toContain(talk[2])
  expect(store.replies.byItem('remote')).toMatchObject([{ operation: 'assistants.chat' }])
  titles.nudge()
  expect(prompts).toHaveLength(1)
})

test('quotes the transcript where the account fails or is no language model', async () => {
  const { store, titles, shown, suggested, add } = await setup('account', [
    new AppError('BAD_REQUEST', 'no'),
    { text: 'A quote', notice: engineNotices.sentencesPicked },
  ])
  titles.nudge()
  await expect.poll(() => shown).toEqual(['here', 'remote'])
  expect(suggested('remote')).toMatchObject({ engine: null })
  add('other', 'account-1')
  titles.nudge()
  await expect.poll(() => suggested('other')).toMatchObject({ engine: null })
  expect(store.meetings.untitled()).toEqual([])
})

test('suggests nothing when it is switched off, also later', async () => {
  const { store, titles, shown, suggested } = await setup('off')
  titles.nudge()
  store.settings.update({ titleSuggestions: 'transcript' })
  titles.nudge()
  expect([suggested('here'), suggested('remote'), shown]).toEqual([null, null, []])
})
