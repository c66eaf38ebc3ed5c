import { z } from 'zod'
import { chatSettings } from '../../../../shared/contract/chats.ts'
import { defaultSpeech } from '../../../../shared/model/speech.ts'

const text = z.string()
const maybe = text.nullable()
const number = z.number()
const texts = z.array(text)
const numbers = z.array(number)

const failure = z.looseObject({
  code: text,
  message: text,
  at: number,
  retriable: z.boolean(),
  params: z.record(text, z.union([text, number])).optional(),
  service: z.looseObject({}).optional(),
})
const usage = z.record(text, z.union([number, z.null()]))
const spans = z.array(z.tuple([number, number]))
const place = z.looseObject({
  boxes: z.array(
    z.looseObject({ page: number, box: z.tuple([number, number, number, number]).nullable() }),
  ),
})
const hit = z.looseObject({
  sliceId: text,
  textKey: text,
  rank: number,
  text,
  documentId: text,
  documentName: text,
  score: number.nullable(),
  place,
})
const named = z.array(z.looseObject({ id: text, name: text }))
const retrieval = z.looseObject({
  bases: named,
  documents: named,
  topK: number,
  topN: number,
  recallMethod: z.enum(['embedding', 'keyword', 'mixed']),
  recallRatio: number,
  rerank: z.enum(['off', 'on', 'both']),
  rerankModel: z.enum(['rerank', 'rerank-pro']),
  threshold: number.nullable(),
})
const anyRetrieval = {
  bases: [],
  documents: [],
  topK: 8,
  topN: 10,
  recallMethod: 'embedding',
  recallRatio: 50,
  rerank: 'off',
  rerankModel: 'rerank',
  threshold: null,
}
const anyChat = {
  kind: 'agent',
  knowledgeIds: [],
  topK: null,
  topN: null,
  rerank: false,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: false,
}
const attachments = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('image'), mediaId: text, name: text }),
    z.looseObject({ kind: z.literal('document'), itemId: text, title: text, pages: text }),
    z.looseObject({ kind: z.literal('file'), mediaId: text, name: text, fileId: maybe }),
  ]),
)
const when = { textAt: number, startedAt: number }
const steps = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.enum(['reasoning', 'thought']), text, ...when }),
    z.looseObject({
      kind: z.literal('call'),
      tool: text,
      callId: text,
      result: z.looseObject({ status: text }).nullable(),
      ...when,
    }),
    z.looseObject({ kind: z.literal('tool'), call: z.looseObject({ type: text }), ...when }),
    z.looseObject({ kind: z.literal('unknown'), name: text, ...when }),
  ]),
)
const facts = z
  .looseObject({
    mime: text,
    bytes: number,
    pages: number.int().min(0).max(100_000),
    sizes: z.array(z.looseObject({ width: number, height: number })),
    locked: z.enum(['no', 'owner', 'user']),
    textChars: numbers,
  })
  .refine(({ pages, sizes }) => sizes.length >= pages)
const report = z.looseObject({
  durationMs: number,
  sampleRate: number,
  bytes: number,
  checks: z.array(
    z.looseObject({
      name: text,
      state: z.enum(['good', 'warn', 'bad']),
      reason: text,
      values: z.record(text, number),
    }),
  ),
  peaks: numbers,
  speech: spans,
})
const spoken = z.looseObject({
  state: z.enum(['none', 'hearing', 'heard', 'edited', 'failed']),
  text,
})
const ranked = z.array(z.looseObject({ index: number, score: number }))
const marks = z.array(z.looseObject({ kind: text, from: number, to: number, heard: text }))
const takeCheck = z.discriminatedUnion('state', [
  z.looseObject({ state: z.literal('heard'), score: number, marks, heard: text, engine: text }),
  z.looseObject({
    state: z.literal('unchecked'),
    reason: z.enum(['language', 'failed']),
    engine: text,
  }),
])
const joined = z.looseObject({
  mediaId: text,
  peaksId: text,
  durationMs: number,
  sampleRate: number,
  missing: number,
  at: number,
})
const places = z.array(z.looseObject({ pieceId: text, startMs: number, endMs: number }))
const events = z.array(z.looseObject({}))
const withDefault = (schema: z.ZodType, otherwise: unknown) => ({ schema, otherwise })
const list = (schema: z.ZodType) => withDefault(schema, [])
const orNull = (schema: z.ZodType) => withDefault(schema, null)

/**
 * JSON columns with the minimum shape that their readers require, and the value that replaces anything else. Readers
 * know more fields than these, so other fields are ignored. `error` and `usage` are the same in every table.
 */
export const shapes: Readonly<
  Record<string, { readonly schema: z.ZodType; readonly otherwise: unknown }>
> = {
  'jobs.options': withDefault(
    z.looseObject({ stream: z.boolean(), prompt: text, hotwords: texts }),
    {
      stream: true,
      prompt: '',
      hotwords: [],
    },
  ),
  'meetings.channels': withDefault(
    z.array(z.enum(['mic', 'others', 'left', 'right', 'mono'])).max(32),
    ['mono'],
  ),
  'meetings.analysed': list(numbers),
  'meetings.hotwords': list(texts),
  'meeting_segments.voiced': list(spans),
  'meeting_segments.flags': list(texts),
  'meeting_readings.flags': list(texts),
  'meeting_lines.flags': list(texts),
  'meeting_summaries.points': list(z.array(z.looseObject({ section: text, text, lineIds: texts }))),
  'summary_templates.sections': list(z.array(z.looseObject({ title: text, instruction: text }))),
  'documents.facts': orNull(facts),
  'documents.place': orNull(
    z.looseObject({ page: number.int().min(1), offset: number, zoom: number.nullable() }),
  ),
  'document_versions.options': withDefault(
    z.looseObject({ pages: text, crops: z.boolean(), layoutPictures: z.boolean() }),
    { pages: '', crops: false, layoutPictures: false },
  ),
  'document_parts.surplus': list(numbers),
  'document_blocks.raw': orNull(z.tuple([number, number, number, number])),
  'conversations.settings': withDefault(chatSettings, anyChat),
  'conversations.draft': orNull(z.looseObject({ text, attachments })),
  'message_bodies.steps': orNull(steps),
  'message_bodies.attachments': orNull(attachments),
  'message_bodies.settings': orNull(chatSettings),
  'message_bodies.slices': orNull(
    z.array(z.looseObject({ requestId: text, nodeId: text, at: number })),
  ),
  'message_events.events': list(z.array(z.looseObject({ t: text }))),
  'voice_samples.source': withDefault(
    z.discriminatedUnion('kind', [
      z.looseObject({ kind: z.literal('recorded') }),
      z.looseObject({ kind: z.literal('file'), name: text }),
      z.looseObject({ kind: z.literal('meeting'), meetingId: text, title: text }),
    ]),
    { kind: 'recorded' },
  ),
  'voice_samples.text': withDefault(spoken, {
    text: '',
    state: 'none',
    versionId: null,
    model: null,
    notice: null,
    error: null,
  }),
  'voice_samples.consent': orNull(
    z.looseObject({ who: text, whose: z.enum(['mine', 'permission']), purpose: text, at: number }),
  ),
  'voice_versions.made': orNull(z.looseObject({ type: text })),
  'voice_versions.report': withDefault(report, {
    durationMs: 0,
    sampleRate: 16_000,
    bytes: 0,
    checks: [],
    peaks: [],
    speech: [],
  }),
  'speeches.settings': withDefault(
    z.looseObject({
      speed: number,
      volume: number,
      pieceLength: number,
      voice: z.looseObject({ id: text, name: text }).nullable(),
    }),
    defaultSpeech,
  ),
  'speeches.joined': orNull(joined),
  'speeches.joined_places': orNull(places),
  'speech_takes.sound': orNull(
    z.looseObject({ rate: number, samples: number, from: number, to: number, peak: number }),
  ),
  'speech_takes.heard': orNull(takeCheck),
  'retrieval_sets.settings': withDefault(retrieval, anyRetrieval),
  'retrieval_runs.settings': withDefault(retrieval, anyRetrieval),
  'retrieval_rows.ranked': orNull(z.array(z.tuple([text, text], z.unknown()))),
  'retrieval_found.hits': list(z.array(hit)),
  'runs.input': withDefault(z.looseObject({}), {}),
  'run_results.value': orNull(z.unknown()),
  'run_events.events': list(events),
  'lookups.asked': withDefault(z.looseObject({}), {}),
  'slice_lookups.documents': list(texts),
  'slice_lookups.data': orNull(z.unknown()),
  'rankings.ranked': orNull(ranked),
  'ranking_candidates.source': orNull(z.looseObject({ itemId: text, kind: text, title: text })),
  'ranking_rounds.scores': list(ranked),
  'knowledge_documents.separators': list(texts),
  'knowledge_documents.failure': orNull(z.looseObject({ message: text, code: number.nullable() })),
  'knowledge_uploads.slicing': withDefault(
    z.looseObject({
      type: z.literal([1, 2, 3, 5, 6, 7]),
      separators: texts,
      sentenceSize: number,
    }),
    { type: 1, separators: [], sentenceSize: 300 },
  ),
  'knowledge_events.deed': withDefault(
    z.discriminatedUnion('what', [
      z.looseObject({ what: z.enum(['created', 'deleted', 'gone', 'back']) }),
      z.looseObject({ what: z.literal('edited'), fields: texts }),
      z.looseObject({ what: z.enum(['added', 'removed', 'embedded']), n: number, names: texts }),
    ]),
    { what: 'back' },
  ),
  'knowledge_images.images': list(z.array(z.looseObject({ text, url: text }))),
  'assistant_lists.assistants': list(
    z.array(
      z.looseObject({
        id: text,
        name: text,
        description: text,
        avatar: maybe,
        tools: texts,
        tags: texts,
        starterPrompts: z.array(z.union([text, z.looseObject({ title: text, text })])),
      }),
    ),
  ),
}

/** Returns the shape of a JSON column; undefined for other columns. */
export function shapeOf(table: string, column: string): (typeof shapes)[string] | undefined {
  if (column === 'error') return orNull(failure)
  if (column === 'usage') return orNull(usage)
  return shapes[`${table}.${column}`]
}
