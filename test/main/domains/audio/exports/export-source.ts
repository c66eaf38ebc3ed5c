import type {
  ExportOptions,
  ExportSource,
} from '../../../../../src/main/domains/audio/exports/document.ts'
import type { Line, Meeting, Segment } from '../../../../../src/shared/model/meeting.ts'

/** Default options. */
export const plainOptions: ExportOptions = {
  speakers: true,
  timestamps: true,
  gaps: true,
  bom: false,
}

/** Fields of a line that a test sets. */
export interface LineFields {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly channel?: number
}

/** A meeting with two channels and these lines, each in its own segment, with speech throughout. */
export function exportSource(
  spokenLines: readonly LineFields[],
  change: Partial<Meeting> = {},
): ExportSource {
  const end = Math.max(1, ...spokenLines.map(({ endMs }) => endMs))
  const segments = spokenLines.map(({ startMs, endMs, channel = 0 }, index): Segment => ({
    id: `s${index}`,
    channel,
    startMs,
    endMs,
    state: 'done',
    forcedEnd: false,
    forcedStart: false,
    voiced: [{ startMs, endMs }],
    flags: [],
    attempts: 1,
    error: null,
    nextTryAt: null,
    versionId: `r${index}`,
  }))
  const lines = spokenLines.map(({ text, startMs, endMs, channel = 0 }, index): Line => ({
    id: `l${index}`,
    segmentId: `s${index}`,
    channel,
    startMs,
    endMs,
    speakerId: `speaker${channel}`,
    text,
    edited: false,
    flags: [],
    model: 'moonshine',
    accountName: 'This computer',
  }))
  const meeting: Meeting = {
    id: 'meeting',
    title: 'Weekly: plans & "risks" <1>',
    state: 'stopped',
    source: 'recording',
    startedAt: Date.UTC(2026, 10, 20, 9, 30),
    durationMs: end,
    importProgress: null,
    channels: ['mic', 'others'],
    sampleRate: 48_000,
    speakers: [
      { id: 'speaker0', name: '', channel: 0, mark: 0 },
      { id: 'speaker1', name: 'Ann > Bob', channel: 1, mark: 1 },
    ],
    bookmarks: [{ id: 'b', atMs: 1500, label: 'the date' }],
    gaps: [],
    notes: 'call back',
    accountId: 'local',
    prompt: '',
    hotwords: ['Lectern'],
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
    completeness: {
      recordedMs: end,
      writtenMs: end,
      analysedMs: end,
      segmentsMs: end,
      transcribedMs: end,
      segments: segments.length,
      waiting: 0,
      failed: 0,
      flagged: 0,
      gapsMs: 0,
    },
    ...change,
  }
  const versions = lines.map((line, index) => ({
    id: `r${index}`,
    segmentId: `s${index}`,
    text: line.text,
    state: 'current' as const,
    flags: [],
    model: line.model,
    accountId: 'local',
    accountName: line.accountName,
    requestId: null,
    notice: null,
    at: 1,
  }))
  return { meeting, lines, segments, versions, originalSha256: null, appVersion: '0.1.0' }
}
