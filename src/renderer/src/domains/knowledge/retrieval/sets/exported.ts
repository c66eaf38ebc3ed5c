import type { RequestOf } from '../../../../../../shared/contract/routes.ts'
import type { Grade } from '../../../../../../shared/model/retrieval.ts'
import {
  maxQuestionLength,
  maxQuestions,
} from '../../../../../../shared/knowledge/retrieval/questions.ts'
import { checkedSettings } from '../settings.ts'

type Fields = Readonly<Record<string, unknown>>
type Question = RequestOf<'retrieval.addQuestions'>['questions'][number]
type Run = Omit<RequestOf<'retrieval.importRun'>, 'setId' | 'runId'>

const maxTextLength = 100_000

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : []
const text = (fields: Fields, name: string, maxChars: number): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.slice(0, maxChars) : ''
}
const amount = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
/** Returns a length or a duration: not negative. */
const size = (fields: Fields, name: string): number | null => {
  const value = amount(fields, name)
  return value === null ? null : Math.max(0, value)
}
const whole = (value: number | null): number | null => (value === null ? null : Math.round(value))
const parsed = (json: string): Fields => {
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    return {}
  }
}
const passageOf = (fields: Fields) => ({
  sliceId: text(fields, 'sliceId', 256),
  textKey: text(fields, 'textKey', 64),
  text: text(fields, 'text', maxTextLength),
  documentId: text(fields, 'documentId', 256),
  documentName: text(fields, 'documentName', 1000),
})
const isGrade = (value: unknown): value is Grade =>
  value === 0 || value === 1 || value === 2 || value === 3

/** Returns the questions of an exported set, with the ratings of passages; null for anything else. */
export function exportedSet(json: string): readonly Question[] | null {
  const file = parsed(json)
  if (file['format'] !== 'lectern.retrieval-set') return null
  return listOf(file['questions'])
    .slice(0, maxQuestions)
    .map((one) => ({
      text: text(one, 'question', maxQuestionLength).trim(),
      note: text(one, 'note', 2000),
      judgements: listOf(one['judgements'])
        .slice(0, 500)
        .flatMap((each) => {
          const { grade } = each
          return isGrade(grade) ? [{ ...passageOf(each), grade }] : []
        }),
    }))
    .filter((one) => one.text !== '')
}

/** Returns an exported run with its results; null for anything else. */
export function exportedRun(json: string): Run | null {
  const file = parsed(json)
  const settings = checkedSettings(file['settings'])
  const isRun = file['format'] === 'lectern.retrieval-run'
  if (!isRun || !settings || settings.bases.length === 0) return null
  const rows = listOf(file['rows'])
    .filter((one) => one['state'] === 'done' && text(one, 'question', maxQuestionLength) !== '')
    .map((one) => ({
      question: text(one, 'question', maxQuestionLength),
      rerank: one['rerank'] === true,
      tookMs: size(one, 'tookMs'),
      tokens: whole(size(one, 'tokens')),
      hits: listOf(one['hits'])
        .slice(0, 200)
        .map((hit) => ({
          ...passageOf(hit),
          score: amount(hit, 'score'),
          recallScore: amount(hit, 'recallScore'),
          rerankScore: amount(hit, 'rerankScore'),
          knowledgeId: text(hit, 'knowledgeId', 256),
          url: text(hit, 'url', 8000),
          context: text(hit, 'context', maxTextLength),
        })),
    }))
  return {
    title: text(file, 'title', 300),
    settings,
    accountName: text(file, 'accountName', 300),
    createdAt: Math.round(size(file, 'createdAt') ?? 0),
    rows,
  }
}
