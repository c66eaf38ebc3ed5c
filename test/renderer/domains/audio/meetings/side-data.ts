import type {
  Line,
  Meeting,
  SegmentVersion,
  Segment,
} from '../../../../../src/shared/model/meeting.ts'

/** Unix ms of the meetings in these tests. */
const at = Date.UTC(2026, 2, 4, 9)

/** Creates a meeting with two channels. */
export const meetingOf = (change: Partial<Meeting> = {}): Meeting => ({
  id: 'm1',
  title: 'Weekly',
  state: 'stopped',
  source: 'recording',
  durationMs: 60_000,
  importProgress: null,
  completeness: {
    recordedMs: 60_000,
    writtenMs: 60_000,
    analysedMs: 60_000,
    segmentsMs: 30_000,
    transcribedMs: 30_000,
    segments: 3,
    waiting: 0,
    failed: 0,
    flagged: 1,
    gapsMs: 0,
  },
  startedAt: at,
  channels: ['mic', 'others'],
  sampleRate: 48_000,
  speakers: [
    { id: 's1', name: '', channel: 0, mark: 0 },
    { id: 's2', name: 'Mara', channel: 1, mark: 1 },
  ],
  bookmarks: [],
  gaps: [],
  notes: '',
  accountId: 'this-computer',
  prompt: '',
  hotwords: [],
  summaries: [],
  originalMediaId: null,
  originalName: null,
  originalBytes: null,
  originalMime: null,
  hasAudio: true,
  titleSuggestion: null,
  error: null,
  canUndo: false,
  canRedo: false,
  ...change,
})

/** Creates a transcribed segment of ten seconds. */
export const segmentOf = (id: string, startMs: number, change: Partial<Segment> = {}): Segment => ({
  id,
  startMs,
  endMs: startMs + 10_000,
  channel: 0,
  state: 'done',
  forcedEnd: false,
  forcedStart: false,
  voiced: [],
  flags: [],
  attempts: 0,
  error: null,
  nextTryAt: null,
  versionId: `r-${id}`,
  ...change,
})

/** Creates the line of a segment. */
export const lineOf = (
  id: string,
  segment: Segment,
  text: string,
  change: Partial<Line> = {},
): Line => ({
  id,
  segmentId: segment.id,
  startMs: segment.startMs,
  endMs: segment.endMs,
  channel: segment.channel,
  speakerId: segment.channel === 0 ? 's1' : 's2',
  text,
  edited: false,
  flags: [],
  model: 'asr-1',
  accountName: 'Work',
  ...change,
})

/** Creates a reading that is awaiting a decision. */
export const proposalOf = (
  id: string,
  segmentId: string,
  text: string,
  change: Partial<SegmentVersion> = {},
): SegmentVersion => ({
  id,
  segmentId,
  text,
  state: 'proposed',
  flags: [],
  model: 'asr-2',
  accountId: 'acc-1',
  accountName: 'Work',
  requestId: null,
  notice: null,
  at,
  ...change,
})
