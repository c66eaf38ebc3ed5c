import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MeetingJson } from '../../../src/shared/contract/meeting-json.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { jsonMeeting } from './meeting-json.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})

afterAll(() => app.remove())

/** Imports JSON: returns the meeting's ID, or the code of the refusal. */
async function outcome(text: string): Promise<string> {
  const taken = await app.intake('x.json', new TextEncoder().encode(text))
  if (!taken.ok) return taken.error.code
  const reply = await app.raw('meetings.import', { mediaId: taken.data.media.id })
  if (!reply.ok) return reply.error.code
  const { meeting } = reply.data as { meeting: { id: string } }
  return `made ${meeting.id}`
}

const json = (changes: Partial<MeetingJson>): string => JSON.stringify(jsonMeeting(changes))
const base = jsonMeeting()
const [line] = base.lines
const [segment] = base.segments
if (!line || !segment) throw new Error('the meeting is empty')

test('rejects JSON with impossible values as a whole, with a message', async () => {
  const wrong: Record<string, string> = {
    nested: `{"format":"lectern-meeting","lines":${'['.repeat(200_000)}`,
    'nested whole': `{"format":"lectern-meeting","lines":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'own prototype': `{"__proto__":{"x":1},${json({}).slice(1)}`,
    backwards: json({ lines: [{ ...line, startMs: 10, endMs: 5 }] }),
    'segment backwards': json({ segments: [{ ...segment, startMs: 10, endMs: 5 }] }),
    'voice backwards': json({ segments: [{ ...segment, voiced: [{ startMs: 9, endMs: 8 }] }] }),
    'gap backwards': json({
      gaps: [{ id: 'x', startMs: 9, endMs: 8, channel: null, reason: 'lost' }],
    }),
    'far channel': json({ lines: [{ ...line, channel: 1 }] }),
    'far segment': json({ segments: [{ ...segment, channel: 1 }] }),
    'no day': json({ startedAt: '2026-02-30T00:00:00.000Z' }),
    'unknown flag': json({ lines: [{ ...line, flags: ['__proto__'] as never }] }),
    'no title': json({ title: '\u202e \0' }),
  }
  for (const [what, text] of Object.entries(wrong))
    expect(['DAMAGED_FILE', 'UNSUPPORTED_FORMAT'], what).toContain(await outcome(text))
  const { items } = await app.call('library.list', { bin: false, limit: 10 })
  expect(items).toEqual([])
})

test('treats object property names as plain names, and markup as text', async () => {
  const odd = ['__proto__', 'constructor', 'toString', '<img src=x onerror=alert(1)>']
  const made = await outcome(
    json({
      title: '<script>alert(1)</script>\u202e',
      hotwords: odd,
      speakers: odd.map((name, mark) => ({ id: name, name, channel: 0, mark })),
      lines: odd.map((id, at) => ({ ...line, id, speakerId: id, startMs: at, endMs: at + 1 })),
      segments: odd.map((id, at) => ({ ...segment, id, startMs: at * 100, endMs: at * 100 + 9 })),
      bookmarks: odd.map((id, atMs) => ({ id, atMs, label: id })),
    }),
  )
  const id = made.replace('made ', '')
  const { meeting } = await app.call('meetings.get', { id })
  expect(meeting.title).toBe('<script>alert(1)</script>')
  expect(meeting.speakers.map(({ name }) => name)).toEqual(odd)
  const { lines } = await app.call('meetings.lines', { id })
  const byId = new Map(meeting.speakers.map((one) => [one.id, one.name]))
  expect(lines.map(({ speakerId }) => byId.get(speakerId))).toEqual(odd)
  const { hits } = await app.call('library.search', { query: 'words' })
  expect(hits.map((hit) => hit.itemId)).toEqual([id])
})
