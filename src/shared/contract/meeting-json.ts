import { z } from 'zod'
import type { Flag } from '../model/meeting.ts'

const id = z.string().min(1).max(64)
const ms = z.number().int().min(0).max(1_000_000_000)
const span = { startMs: ms, endMs: ms }
const flagNames = [
  'loop',
  'too-fast',
  'prompt-echo',
  'hotword-echo',
  'describes-silence',
  'seam',
  'seam-unsure',
  'echo',
] as const satisfies readonly Flag[]
const flags = z.array(z.enum(flagNames)).max(20)
/** Contains at least one visible character. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}]/u

/** Lectern's meeting JSON, version 1: everything except audio and temporary state (errors, waiting times). */
const wholeJson = z.strictObject({
  format: z.literal('lectern-meeting'),
  version: z.literal(1),
  /** App version that wrote it. */
  app: z.string().max(40),
  title: z.string().max(1000).regex(visible),
  /** ISO 8601. */
  startedAt: z.iso.datetime(),
  durationMs: ms,
  source: z.enum(['recording', 'import']),
  channels: z
    .array(z.enum(['mic', 'others', 'left', 'right', 'mono']))
    .min(1)
    .max(2),
  sampleRate: z.number().int().min(1).max(1_000_000),
  /** SHA-256 of the original file. */
  originalSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  prompt: z.string().max(8000),
  hotwords: z.array(z.string().max(100)).max(1000),
  notes: z.string().max(1_000_000),
  speakers: z
    .array(
      z.strictObject({
        id,
        name: z.string().max(100),
        channel: z.number().int().min(0).max(1).nullable(),
        mark: z.number().int().min(0).max(10_000),
      }),
    )
    .max(10_000),
  bookmarks: z.array(z.strictObject({ id, atMs: ms, label: z.string().max(300) })).max(100_000),
  gaps: z
    .array(
      z.strictObject({
        id,
        ...span,
        channel: z.number().int().min(0).max(1).nullable(),
        reason: z.enum(['device', 'suspended', 'overload', 'lost', 'muted']),
      }),
    )
    .max(100_000),
  segments: z
    .array(
      z.strictObject({
        id,
        ...span,
        channel: z.number().int().min(0).max(1),
        state: z.enum(['pending', 'inflight', 'done', 'silent', 'failed', 'flagged']),
        forcedStart: z.boolean(),
        forcedEnd: z.boolean(),
        voiced: z.array(z.strictObject(span)).max(10_000),
        flags,
        readingId: id.nullable(),
      }),
    )
    .max(100_000),
  readings: z
    .array(
      z.strictObject({
        id,
        segmentId: id,
        text: z.string().max(100_000),
        state: z.enum(['current', 'proposed', 'declined', 'older']),
        flags,
        model: z.string().max(300),
        accountName: z.string().max(300),
        requestId: z.string().max(300).nullable(),
        notice: z.string().max(10_000).nullable(),
        at: z.number().int(),
      }),
    )
    .max(500_000),
  lines: z
    .array(
      z.strictObject({
        id,
        ...span,
        segmentId: id.nullable(),
        channel: z.number().int().min(0).max(1),
        speakerId: id,
        text: z.string().max(100_000),
        edited: z.boolean(),
        flags,
        model: z.string().max(300),
        accountName: z.string().max(300),
      }),
    )
    .max(500_000),
  summaries: z
    .array(
      z.strictObject({
        id,
        templateId: id,
        templateName: z.string().max(100),
        points: z
          .array(
            z.strictObject({
              section: z.string().max(300),
              text: z.string().max(100_000),
              lineIds: z.array(id).max(10_000),
            }),
          )
          .max(10_000),
        engine: z.string().max(2000),
        at: z.number().int(),
      }),
    )
    .max(1000),
})

/** Meeting as Lectern's JSON contains it. */
export type MeetingJson = z.infer<typeof wholeJson>

/** Lists of {@link MeetingJson} that may be long. */
export type MeetingJsonList =
  | 'speakers'
  | 'segments'
  | 'readings'
  | 'lines'
  | 'bookmarks'
  | 'gaps'
  | 'summaries'

/** {@link MeetingJson} without the lists that may be long. */
export type MeetingJsonHead = Omit<MeetingJson, MeetingJsonList>

/** Limited number of rows of one list. */
export type MeetingJsonPage = {
  [List in MeetingJsonList]: { readonly list: List; readonly rows: MeetingJson[List] }
}[MeetingJsonList]

/**
 * {@link MeetingJson} with strict validation: times are in order, and every channel exists in the meeting.
 */
export const meetingJson = wholeJson
  .refine(({ segments }) => segments.every((one) => [one, ...one.voiced].every(isOrdered)), {
    path: ['segments'],
  })
  .refine(({ lines }) => lines.every(isOrdered), { path: ['lines'] })
  .refine(({ gaps }) => gaps.every(isOrdered), { path: ['gaps'] })
  .refine(
    ({ channels, segments, lines, gaps }) =>
      [...segments, ...lines, ...gaps].every(({ channel }) => (channel ?? 0) < channels.length),
    { path: ['channels'] },
  )

const isOrdered = (one: { readonly startMs: number; readonly endMs: number }): boolean =>
  one.endMs >= one.startMs
