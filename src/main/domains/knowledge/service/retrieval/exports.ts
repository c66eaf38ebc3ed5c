import { setImmediate } from 'node:timers/promises'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { Media } from '../../../../../shared/model/library.ts'
import type { RetrievalRun } from '../../../../../shared/model/retrieval.ts'
import { changeOf } from '../../../../../shared/knowledge/retrieval/compare-runs.ts'
import type { Comparison } from '../../../../../shared/knowledge/retrieval/compare-runs.ts'
import { csvLine } from '../../../../../shared/knowledge/retrieval/csv.ts'
import { gradesOf, measures } from '../../../../../shared/knowledge/retrieval/metrics.ts'
import type { Shares } from '../../../../../shared/knowledge/retrieval/metrics.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Store } from '../../../../library-database/store.ts'
import { fileName } from '../../../../platform/files/display-name.ts'
import { compareRuns } from './compare.ts'

/** Dependencies of writing files. */
export interface RetrievalExportsDeps {
  readonly store: Pick<Store, 'retrievalRuns' | 'testSets'>
  readonly files: Pick<MediaFiles, 'intake'>
}

type Exported = ParsedOf<'retrieval.export'>
type Lines = AsyncGenerator<string>

/** Byte order mark that makes spreadsheets read our table as UTF-8. */
const bom = '\u{feff}'

/** Writes a set, a run or a comparison to a file of the library, chunk by chunk. Throws NOT_FOUND. */
export async function writeExport(
  { store, files }: RetrievalExportsDeps,
  request: Exported,
): Promise<Media> {
  const [title, lines] = await linesOf(store, request)
  const name = fileName(title, request.format)
  return files.intake(ReadableStream.from(bytesOf(lines)), name)
}

async function* bytesOf(lines: Lines): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line, 'utf8')
}

async function linesOf(
  store: RetrievalExportsDeps['store'],
  request: Exported,
): Promise<readonly [title: string, lines: Lines]> {
  const isCsv = request.format === 'csv'
  if (request.what === 'comparison') {
    const comparison = await compareRuns(store, request)
    const runs = [requireRun(store, request.a.runId), requireRun(store, request.b.runId)] as const
    const title = runs.map(titleOf).join(' - ')
    return [title, isCsv ? comparisonTable(comparison) : comparisonJson(comparison, runs)]
  }
  if (request.what === 'set') {
    const set = store.testSets.get(request.id)
    if (!set) throw new AppError('NOT_FOUND', 'Test set not found')
    return [set.title, isCsv ? setTable(store, request.id) : setJson(store, request.id)]
  }
  const run = requireRun(store, request.id)
  return [titleOf(run), isCsv ? runTable(store, run) : runJson(store, run)]
}

const titleOf = ({ title, question }: RetrievalRun): string => title || question

function requireRun(store: Pick<Store, 'retrievalRuns'>, id: string): RetrievalRun {
  const run = store.retrievalRuns.get(id)
  if (!run) throw new AppError('NOT_FOUND', 'Run not found')
  return run
}

async function* setTable({ testSets }: Pick<Store, 'testSets'>, id: string): Lines {
  yield bom + csvLine(['question', 'note', 'grade', 'document', 'document_id', 'slice_id', 'text'])
  for (const { id: questionId, text, note } of testSets.get(id)?.entries ?? []) {
    const judgements = testSets.judgements(questionId)
    if (judgements.length === 0) yield csvLine([text, note, null, null, null, null, null])
    for (const one of judgements)
      yield csvLine([
        text,
        note,
        one.grade,
        one.documentName,
        one.documentId,
        one.sliceId,
        one.text,
      ])
    await setImmediate()
  }
}

async function* setJson({ testSets }: Pick<Store, 'testSets'>, id: string): Lines {
  const set = testSets.get(id)
  if (!set) return
  const { title, settings, entries } = set
  const head = { format: 'lectern.retrieval-set', version: 1, title, settings }
  yield `${JSON.stringify(head).slice(0, -1)},"questions":[`
  for (const [at, { id: questionId, text, note }] of entries.entries()) {
    const judgements = testSets.judgements(questionId)
    yield `${at > 0 ? ',' : ''}\n${JSON.stringify({ question: text, note, judgements })}`
    await setImmediate()
  }
  yield '\n]}\n'
}

/** Ratings of a question; none if it no longer exists. */
function judgementsOf(store: Pick<Store, 'testSets'>, questionId: string | null) {
  return questionId === null || !store.testSets.question(questionId)
    ? []
    : store.testSets.judgements(questionId)
}

async function* runTable(store: RetrievalExportsDeps['store'], run: RetrievalRun): Lines {
  yield (
    bom +
      csvLine([
        'question',
        'rerank',
        'state',
        'took_ms',
        'rank',
        'score',
        'recall_score',
        'rerank_score',
        'grade',
        'document',
        'document_id',
        'slice_id',
        'text',
      ])
  )
  for (let at = 0; at < run.total; at++) {
    const row = store.retrievalRuns.row(run.id, at)
    if (!row) continue
    const head = [row.question, row.rerank ? 'on' : 'off', row.state, row.tookMs]
    const grades = gradesOf(row.found, judgementsOf(store, row.questionId))
    if (row.found.length === 0) yield csvLine(head)
    for (const [place, hit] of row.found.entries())
      yield csvLine([
        ...head,
        hit.rank,
        hit.score,
        hit.recallScore,
        hit.rerankScore,
        grades[place] ?? null,
        hit.documentName,
        hit.documentId,
        hit.sliceId,
        hit.text,
      ])
    await setImmediate()
  }
}

async function* runJson(store: RetrievalExportsDeps['store'], run: RetrievalRun): Lines {
  const { title, question, settings, accountName, createdAt, endedAt } = run
  const about = { title, question, accountName, createdAt, endedAt, settings }
  const head = { format: 'lectern.retrieval-run', version: 1, ...about }
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`
  for (let at = 0; at < run.total; at++) {
    const row = store.retrievalRuns.row(run.id, at)
    if (!row) continue
    const {
      question: questionText,
      rerank,
      state,
      error,
      tookMs,
      tokens,
      requestId,
      engine,
      found,
    } = row
    const fields = {
      question: questionText,
      rerank,
      state,
      error,
      tookMs,
      tokens,
      requestId,
      engine,
    }
    const reply = store.retrievalRuns.raw(run.id, at)?.body ?? null
    yield `${at > 0 ? ',' : ''}\n${JSON.stringify({ ...fields, hits: found, reply })}`
    await setImmediate()
  }
  yield '\n]}\n'
}

async function* comparisonTable({ rows, a, b }: Comparison): Lines {
  const columns = measures.flatMap((name) => [`${name}_a`, `${name}_b`, `${name}_change`])
  const rest = ['entered', 'left', 'moved', 'unjudged_a', 'unjudged_b', 'took_ms_a', 'took_ms_b']
  yield bom + csvLine(['question', ...columns, ...rest])
  const shares = (row: { readonly a: Shares | null; readonly b: Shares | null }) =>
    measures.flatMap((name) => [row.a?.[name] ?? null, row.b?.[name] ?? null, changeOf(row, name)])
  for (const row of rows)
    yield csvLine([
      row.question,
      ...shares(row),
      row.entered,
      row.left,
      row.moved,
      row.a?.unjudged ?? null,
      row.b?.unjudged ?? null,
      row.tookMsA,
      row.tookMsB,
    ])
  const none = [null, null, null]
  yield csvLine(['*', ...shares({ a, b }), ...none, a.unjudged, b.unjudged, a.latency, b.latency])
}

async function* comparisonJson(
  comparison: Comparison,
  [a, b]: readonly [RetrievalRun, RetrievalRun],
): Lines {
  const head = { format: 'lectern.retrieval-comparison', version: 1, runs: { a, b } }
  yield `${JSON.stringify({ ...head, ...comparison, rows: undefined }).slice(0, -1)},"rows":[`
  for (const [at, row] of comparison.rows.entries())
    yield `${at > 0 ? ',' : ''}\n${JSON.stringify(row)}`
  yield '\n]}\n'
}
