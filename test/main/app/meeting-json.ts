import type { MeetingJson } from '../../../src/shared/contract/meeting-json.ts'

const flags: MeetingJson['lines'][number]['flags'] = []
const model = { flags, model: 'engine', accountName: 'Work' }

/**
 * Returns a small complete meeting as Lectern's JSON: two lines of one segment each, a suggestion, a bookmark, a summary.
 */
export const jsonMeeting = (changes: Partial<MeetingJson> = {}): MeetingJson => ({
  format: 'lectern-meeting',
  version: 1,
  app: '0.0.0',
  title: 'Weekly',
  startedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 60_000,
  source: 'import',
  channels: ['mono'],
  sampleRate: 16_000,
  originalSha256: null,
  prompt: '',
  hotwords: [],
  notes: '',
  speakers: [{ id: 's', name: 'Ada', channel: 0, mark: 0 }],
  bookmarks: [{ id: 'b', atMs: 1000, label: 'start' }],
  gaps: [],
  segments: [segment('g1', 0, 'r1'), segment('g2', 30_000, null)],
  readings: [version('r1', 'g1', 'current'), version('r2', 'g1', 'proposed')],
  lines: [line('l1', 'g1', 0), line('l2', 'g2', 30_000)],
  summaries: [
    {
      id: 'y',
      templateId: 'built-in-decisions',
      templateName: 'Decisions',
      points: [{ section: 'Decisions', text: 'Paper it is.', lineIds: ['l1'] }],
      engine: 'engine',
      at: 1,
    },
  ],
  ...changes,
})

const segment = (
  id: string,
  startMs: number,
  versionId: string | null,
): MeetingJson['segments'][number] => ({
  id,
  startMs,
  endMs: startMs + 10_000,
  channel: 0,
  state: 'done',
  forcedStart: false,
  forcedEnd: false,
  voiced: [],
  flags: [],
  readingId: versionId,
})

const version = (
  id: string,
  segmentId: string,
  state: 'current' | 'proposed',
): MeetingJson['readings'][number] => ({
  id,
  segmentId,
  text: `the words of ${id}`,
  state,
  ...model,
  requestId: null,
  notice: null,
  at: 1,
})

const line = (id: string, segmentId: string, startMs: number): MeetingJson['lines'][number] => ({
  id,
  segmentId,
  startMs,
  endMs: startMs + 5000,
  channel: 0,
  speakerId: 's',
  text: `the words of ${id}`,
  edited: false,
  ...model,
})
