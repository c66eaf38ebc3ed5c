import type {
  NewLine,
  NewMeeting,
  NewSegment,
} from '../../../../../src/main/domains/audio/store/meetings-types.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { SegmentVersion } from '../../../../../src/shared/model/meeting.ts'

/** Recording with two channels. */
export function aMeeting(id: string, changes: Partial<NewMeeting> = {}): NewMeeting {
  return {
    id,
    title: `Meeting ${id}`,
    source: 'recording',
    state: 'stopped',
    channels: ['mic', 'others'],
    sampleRate: 48_000,
    mediaId: null,
    hasAudio: true,
    accountId: 'this-computer',
    prompt: '',
    hotwords: [],
    at: 1000,
    ...changes,
  }
}

/** Segment of ten seconds by default. */
export function aSegment(id: string, startMs: number, endMs = startMs + 10_000): NewSegment {
  return {
    id,
    channel: 0,
    startMs,
    endMs,
    forcedStart: false,
    forcedEnd: false,
    voiced: [{ startMs: startMs + 100, endMs: endMs - 100 }],
  }
}

/** Version of a segment. */
export function aVersion(
  id: string,
  segmentId: string,
  text: string,
): Omit<SegmentVersion, 'state'> {
  return {
    id,
    segmentId,
    text,
    flags: [],
    model: 'whisper',
    accountId: 'a1',
    accountName: 'Work',
    requestId: `request-${id}`,
    notice: null,
    at: 5000,
  }
}

/** Line of a segment. */
export function aLine(
  segmentId: string | null,
  startMs: number,
  text: string,
  changes: Partial<NewLine> = {},
): NewLine {
  return {
    segmentId,
    channel: 0,
    startMs,
    endMs: startMs + 1000,
    speakerId: '',
    text,
    flags: [],
    model: 'whisper',
    accountName: 'Work',
    ...changes,
  }
}

/** Adds a segment at `startMs` with one line per second. */
export function transcribeAt(
  store: Store,
  meeting: string,
  name: string,
  channel: number,
  startMs: number,
  texts: readonly string[],
): void {
  store.meetings.addSegments(meeting, channel, [{ ...aSegment(name, startMs), channel }], startMs)
  store.meetings.saveTranscription(
    aVersion(`r-${name}`, name, texts.join(' ')),
    { state: 'done', flags: [] },
    texts.map((text, at) => aLine(name, startMs + at * 1000, text, { channel })),
  )
}

/** Returns the texts of a meeting's lines. */
export const textsOf = (store: Store, id: string): readonly string[] =>
  store.meetings.lines(id).map((line) => line.text)

/**
 * Creates a meeting `id` with three transcribed segments (`<id>-a`, `-b`, `-c`), six lines on two channels, in two
 * scripts.
 */
export function newMeeting(store: Store, id: string): void {
  store.meetings.create(aMeeting(id))
  transcribeAt(store, id, `${id}-a`, 0, 0, ['one two three', 'four five'])
  transcribeAt(store, id, `${id}-b`, 1, 3000, ['six seven', 'eight'])
  transcribeAt(store, id, `${id}-c`, 0, 70_000, ['你好世界', '第二句'])
}
