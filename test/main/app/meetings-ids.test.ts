import { afterEach, beforeEach, expect, test } from 'vitest'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import type { Meeting } from '../../../src/shared/model/meeting.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { jsonMeeting } from './meeting-json.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})

afterEach(() => app.remove())

const codeOf = async (route: string, request: unknown): Promise<string> => {
  const reply = await app.raw(route, request)
  return reply.ok ? 'done' : reply.error.code
}

/** Imports a transcript in Lectern's JSON as a meeting. */
async function importMeeting(title: string): Promise<Meeting> {
  const bytes = new TextEncoder().encode(JSON.stringify(jsonMeeting({ title })))
  const taken = await app.intake(`${title}.json`, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  return (await app.call('meetings.import', { mediaId: taken.data.media.id })).meeting
}

test('never reaches data of another meeting by its ID', async () => {
  const [one, two] = [await importMeeting('one'), await importMeeting('two')]
  const whole = async () => {
    const { meeting } = await app.call('meetings.get', { id: two.id })
    const { lines, segments } = await app.call('meetings.lines', { id: two.id })
    const { versions } = await app.call('meetings.versions', { id: two.id })
    return { meeting, lines, segments, versions }
  }
  const before = await whole()
  const [line, last] = before.lines
  const [segment] = before.segments
  const [version] = before.versions
  const [bookmark] = before.meeting.bookmarks
  const [speaker] = before.meeting.speakers
  const [summary] = before.meeting.summaries
  if (!line || !last || !segment || !version || !bookmark || !speaker || !summary)
    throw new Error('the meeting misses something')
  const { id } = one
  const attempts: readonly (readonly [string, object])[] = [
    ['bookmark', { bookmarkId: bookmark.id, label: 'mine' }],
    ['bookmark', { bookmarkId: bookmark.id, label: null }],
    ['removeSummary', { summaryId: summary.id }],
    ['decide', { versionIds: [version.id], accept: true }],
    ['decide', { versionIds: [version.id], accept: false }],
    ['edit', { edit: { type: 'text', lineId: line.id, text: 'mine' } }],
    ['edit', { edit: { type: 'merge', lineIds: [line.id, last.id] } }],
    ['edit', { edit: { type: 'remove', lineIds: [line.id] } }],
    ['edit', { edit: { type: 'split', lineId: line.id, offset: 3, atMs: 1 } }],
    ['edit', { edit: { type: 'renameSpeaker', speakerId: speaker.id, name: 'mine' } }],
    ['edit', { edit: { type: 'addSpeaker', name: 'mine', lineIds: [line.id] } }],
  ]
  for (const [route, request] of attempts)
    expect(await codeOf(`meetings.${route}`, { id, ...request }), JSON.stringify(request)).toBe(
      'NOT_FOUND',
    )
  const segments = { type: 'segments', ids: [segment.id] }
  expect(await app.raw('meetings.again', { id, which: segments })).toMatchObject({
    data: { segments: 0 },
  })
  const named = { id, segmentIds: [segment.id] }
  expect(await app.call('meetings.versions', named)).toEqual({ versions: [] })
  const sumUp = { id, templateId: 'built-in-decisions', streamId: summary.id }
  expect(await codeOf('meetings.summarise', sumUp)).toBe('REFUSED')
  expect(await whole()).toEqual(before)
})

test('returns NOT_FOUND for unknown accounts on every route, and changes nothing', async () => {
  const { id } = await importMeeting('one')
  const accountId = 'no-such-account'
  const begin = { roles: ['mic'], sampleRate: 48_000, labels: [] }
  const mediaId = (await app.call('meetings.get', { id })).meeting.originalMediaId ?? 'none'
  const requests: Record<string, object> = {
    begin,
    import: { mediaId },
    update: { id },
    fill: { id },
    again: { id, which: { type: 'all' } },
    summarise: { id, templateId: 'built-in-decisions', streamId: 'stream-0123456789' },
  }
  const before = await app.call('meetings.get', { id })
  for (const [route, request] of Object.entries(requests))
    expect(await codeOf(`meetings.${route}`, { ...request, accountId }), route).toBe('NOT_FOUND')
  expect(await app.call('meetings.get', { id })).toEqual(before)
  const { items } = await app.call('library.list', { bin: false, limit: 10 })
  expect(items).toHaveLength(1)
  const begun = await app.call('meetings.begin', {
    roles: ['mic'],
    sampleRate: 48_000,
    labels: [],
    accountId: localAccountId,
  })
  await app.call('meetings.stop', { id: begun.meeting.id, recordedMs: 0 })
})

test('rejects IDs that could be paths or object property names', async () => {
  for (const id of ['../../x', '__proto__', 'constructor', 'toString', '.', 'a/b', 'a\0b', '%2e']) {
    for (const route of ['get', 'lines', 'undo', 'redo', 'learn'])
      expect(await codeOf(`meetings.${route}`, { id }), `${route} ${id}`).toBe('NOT_FOUND')
    expect(await codeOf('meetings.stop', { id, recordedMs: null })).toBe('NOT_FOUND')
    expect(await codeOf('meetings.import', { mediaId: id })).toBe('NOT_FOUND')
    const paused = { type: 'paused', atMs: 0 }
    expect(['NOT_FOUND', 'REFUSED']).toContain(
      await codeOf('meetings.capture', { id, event: paused }),
    )
    for (const kind of ['meeting', 'peaks']) {
      const url = `http://127.0.0.1/media/${kind}-${encodeURIComponent(id)}`
      expect((await app.app.fetch(new Request(url), app.page)).status).toBe(404)
    }
  }
})
