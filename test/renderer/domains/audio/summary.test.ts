import { expect, test } from 'vitest'
import {
  engineParts,
  linePlaces,
  shownSections,
} from '../../../../src/renderer/src/domains/audio/summary/points.ts'
import {
  readPreferences,
  writePreferences,
} from '../../../../src/renderer/src/domains/audio/summary/summary-preferences.ts'
import {
  changed,
  draftOf,
  isWhole,
  moved,
  templateBounds,
  templateRequest,
  withoutSection,
  withSection,
} from '../../../../src/renderer/src/domains/audio/summary/template-draft.ts'
import { headingKey } from '../../../../src/renderer/src/domains/audio/summary/use-template-name.ts'
import { useTemplates } from '../../../../src/renderer/src/domains/audio/summary/templates-store.ts'
import { useSummaries } from '../../../../src/renderer/src/domains/audio/summary/use-summaries.ts'
import { meetings } from '../../../../src/shared/contract/meetings.ts'
import type {
  Line,
  MeetingSummaryText,
  SummaryTemplate,
} from '../../../../src/shared/model/meeting.ts'
import { templateOf } from '../../../../src/main/domains/audio/service/summaries/templates.ts'
import { summary as english } from '../../../../src/renderer/src/i18n/en/summary.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const line = (id: string, startMs: number): Line => ({
  id,
  segmentId: null,
  channel: 0,
  startMs,
  endMs: startMs + 900,
  speakerId: 's',
  text: id,
  edited: false,
  flags: [],
  model: '',
  accountName: '',
})
const lines = ['a', 'b', 'c', 'd', 'e'].map((id, at) => line(id, at * 60_000))

test('merges consecutive lines into one source, and omits removed ones', () => {
  const points = [
    { section: 'Decisions', text: 'Ship', lineIds: ['c', 'b', 'e', 'gone', 'b'] },
    { section: 'Actions', text: 'Write', lineIds: ['gone'] },
    { section: 'Decisions', text: 'Stay', lineIds: [] },
  ]
  expect(shownSections(points, linePlaces(lines))).toEqual([
    {
      title: 'Decisions',
      points: [
        {
          text: 'Ship',
          places: [
            { startMs: 60_000, endMs: 120_900, lines: 2 },
            { startMs: 240_000, endMs: 240_900, lines: 1 },
          ],
        },
        { text: 'Stay', places: [] },
      ],
    },
    { title: 'Actions', points: [{ text: 'Write', places: [] }] },
  ])
})

test('uses the first line of an engine text as its name and the rest as its description', () => {
  expect(engineParts({ engine: 'GLM\nIt is only\na guess.' })).toEqual({
    name: 'GLM',
    notice: 'It is only\na guess.',
  })
  expect(engineParts({ engine: '' })).toEqual({ name: '', notice: '' })
})

const builtIn: SummaryTemplate = {
  id: 'built-in-topics',
  name: 'Summary by topic',
  builtIn: true,
  sections: [
    { title: 'In short', instruction: 'All of it.' },
    { title: 'Topics', instruction: 'Each of them.' },
  ],
}
const own: SummaryTemplate = { ...builtIn, id: 'mine', name: 'Mine', builtIn: false }

test('copies a built-in template into a new one, and edits the user’s own', () => {
  expect(templateRequest(draftOf(builtIn, 'Topics (mine)'))).toEqual({
    name: 'Topics (mine)',
    sections: builtIn.sections,
  })
  expect(templateRequest(draftOf(own, 'x'))).toMatchObject({ id: 'mine', name: 'Mine' })
  const empty = draftOf(null, '')
  expect(empty).toMatchObject({ id: null, name: '', sections: [{ title: '' }] })
  expect(isWhole(empty)).toBe(false)
})

test('adds, moves, edits and removes headings; a complete template is valid for main', () => {
  let draft = withSection(draftOf(own, ''))
  const [short, topics, added] = draft.sections.map(({ key }) => key)
  if (short === undefined || topics === undefined || added === undefined)
    throw new Error('a heading is missing')
  expect(isWhole(draft)).toBe(false)
  draft = changed(draft, added, { title: ' Risks ', instruction: 'What may go wrong.' })
  expect(isWhole(draft)).toBe(true)
  draft = moved(moved(draft, added, -1), added, -1)
  expect(draft.sections.map(({ key }) => key)).toEqual([added, short, topics])
  expect(moved(draft, added, -1)).toBe(draft)
  expect(moved(draft, topics, 1)).toBe(draft)
  draft = withoutSection(draft, short)
  const request = templateRequest(draft)
  expect(request.sections.map(({ title }) => title)).toEqual(['Risks', 'Topics'])
  expect(meetings.saveTemplate.request.parse({ template: request }).template).toEqual(request)
  const last = withoutSection(draft, topics)
  expect(withoutSection(last, added)).toBe(last)
  for (let n = 0; n < 20; n += 1) draft = withSection(draft)
  expect(draft.sections).toHaveLength(templateBounds.sections)
  expect(new Set(draft.sections.map(({ key }) => key)).size).toBe(templateBounds.sections)
})

test('remembers the selected template and engine', () => {
  let stored: string | null = null
  const store = {
    getItem: () => stored,
    setItem: (_: string, text: string) => void (stored = text),
  }
  expect(readPreferences(store)).toEqual({ templateId: '', accountId: '', assistantId: '' })
  const chosen = { templateId: 'mine', accountId: 'a', assistantId: 'agent:k' }
  writePreferences(store, chosen)
  expect(readPreferences(store)).toEqual(chosen)
  stored = '{"templateId":7}'
  expect(readPreferences(store).templateId).toBe('')
})

const summary = (id: string, state: MeetingSummaryText['state']): MeetingSummaryText => ({
  id,
  templateId: 'mine',
  templateName: 'Mine',
  state,
  points: [],
  engine: '',
  error: null,
  at: 1,
})
const wanted = { templateId: 'built-in-topics', accountId: 'a', assistantId: '' }

test('requests a summary with the selection; a failed one is removed when the next starts', async () => {
  const { main, run } = rendererSetup()
  main.answer('meetings.summarise', () => ({ meeting: null }))
  main.answer('meetings.removeSummary', () => ({ meeting: null }))
  const summaries = run(() => useSummaries(() => 'm'))
  expect(await summaries.make(wanted)).toBe(true)
  await summaries.again(summary('old', 'failed'), wanted)
  const requests = main.requests.filter(({ route }) => route.startsWith('meetings.'))
  expect(requests.map(({ route }) => route)).toEqual([
    'meetings.summarise',
    'meetings.summarise',
    'meetings.removeSummary',
  ])
  expect(meetings.summarise.request.parse(requests[0]?.payload)).toMatchObject({
    id: 'm',
    templateId: 'built-in-topics',
    accountId: 'a',
  })
  expect(requests[0]?.payload).not.toHaveProperty('assistantId')
  expect(requests[1]?.payload).toMatchObject({ templateId: 'mine' })
  expect(requests[2]?.payload).toEqual({ id: 'm', summaryId: 'old' })
})

test('keeps the failed summary when none can start, and restores one that cannot be removed', async () => {
  const { main, run } = rendererSetup({
    fail: {
      'meetings.summarise': failure('REFUSED'),
      'meetings.removeSummary': failure('READ_ONLY'),
    },
  })
  const summaries = run(() => useSummaries(() => 'm'))
  await summaries.again(summary('old', 'failed'), wanted)
  expect(summaries.failure.value?.code).toBe('REFUSED')
  expect(main.requests.some(({ route }) => route === 'meetings.removeSummary')).toBe(false)
  await summaries.remove('old')
  expect(summaries.failure.value?.code).toBe('READ_ONLY')
  expect(summaries.leaving.value.size).toBe(0)
})

test('selects a new template once it is saved; a rejection leaves the list unchanged', async () => {
  const { main, run } = rendererSetup()
  main.answer('meetings.templates', () => ({ templates: [builtIn] }))
  main.answer('meetings.saveTemplate', () => ({ templates: [builtIn, own] }))
  const templates = run(() => useTemplates())
  await templates.load()
  expect(templates.loaded).toBe(true)
  expect(await templates.save(draftOf(builtIn, 'Mine'))).toEqual({ ok: true, id: 'mine' })
  expect(await templates.save(draftOf(own, ''))).toEqual({ ok: true, id: 'mine' })
  main.answer('meetings.removeTemplate', () => ({ templates: [builtIn] }))
  expect(await templates.remove('mine')).toBeNull()
  expect(templates.templates).toEqual([builtIn])
})

test('translates the headings of built-in templates, whatever the language of the meeting', () => {
  const known = english.summary.headings
  const keys = (['en', 'zh'] as const).map((language) =>
    ['built-in-decisions', 'built-in-topics'].flatMap((id) =>
      templateOf({ templates: () => [] }, id, language).sections.map(({ title }) =>
        headingKey(id, title),
      ),
    ),
  )
  expect(keys[0]).toEqual(Object.keys(known))
  expect(keys[1]).toEqual(keys[0])
  expect(headingKey('own', 'Decisions')).toBeUndefined()
})
