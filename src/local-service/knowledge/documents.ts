import type { State } from '../state.ts'
import type {
  DocumentFailure,
  DocumentKind,
  KnowledgeType,
  SlicingRules,
} from '../../shared/knowledge/slicing/types.ts'

/** `embedding_stat` (service-notes 7). */
export const embedding = { running: 0, done: 1, failed: 2 } as const

/** Document of a knowledge base. */
export interface StoredDocument {
  readonly id: string
  readonly baseId: string
  /** ID of its bytes in the file store. */
  readonly fileId: string
  readonly name: string
  readonly kind: DocumentKind
  readonly bytes: number
  /** Name of the linked copy, if it can be opened. */
  readonly media: string | null
  readonly rules: SlicingRules
  readonly parseImage: boolean
  readonly wordLimit: number | null
  readonly state: number
  readonly failure: { readonly code: number; readonly message: string } | null
  readonly tokens: number
  readonly words: number
  /** Number of attempts that neither made progress nor ended properly. */
  readonly attempts: number
}

/** Document as uploaded; it starts as running. */
export type NewDocument = Pick<
  StoredDocument,
  'id' | 'baseId' | 'fileId' | 'name' | 'kind' | 'bytes' | 'rules' | 'parseImage' | 'wordLimit'
> & { readonly at: number }

/** Documents in the database of the local service. */
export interface DocumentStore {
  create(document: NewDocument): void
  get(id: string): StoredDocument | undefined
  /** Documents of a knowledge base, newest first; `word` matches part of the name. */
  list(
    baseId: string,
    word: string,
    page: number,
    size: number,
  ): { readonly documents: readonly StoredDocument[]; readonly total: number }
  allOf(baseId: string): readonly StoredDocument[]
  /** Returns the oldest running document. */
  nextRunning(): StoredDocument | undefined
  /** Sets it back to running and removes its slices. */
  restart(id: string): void
  fail(id: string, failure: Pick<DocumentFailure, 'code' | 'message'>): void
  setMedia(id: string, media: string): void
  setAttempts(id: string, attempts: number): void
  delete(id: string): void
}

const columns = `id, base_id AS baseId, file_id AS fileId, name, kind, bytes, media, knowledge_type AS type, separators,
  sentence_size AS sentenceSize, parse_image AS parseImage, word_limit AS wordLimit, state, fail_code AS code,
  fail_message AS message, tokens, words, attempts`

interface Row extends Omit<StoredDocument, 'rules' | 'parseImage' | 'failure'> {
  readonly type: KnowledgeType | null
  readonly separators: string
  readonly sentenceSize: number
  readonly parseImage: number
  readonly code: number | null
  readonly message: string | null
}

const stored = (row: Row): StoredDocument => {
  const { type, separators, sentenceSize, parseImage, code, message, ...document } = row
  return {
    ...document,
    rules: { type, separators: JSON.parse(separators) as readonly string[], sentenceSize },
    parseImage: parseImage === 1,
    failure: code === null ? null : { code, message: message ?? '' },
  }
}

/** Opens the store on existing tables. */
export function openDocumentStore(state: State): DocumentStore {
  const from = 'FROM knowledge_documents'
  const named = `${from} WHERE base_id = ? AND instr(lower(name), lower(?)) > 0`
  const one = state.prepare<[string], Row>(`SELECT ${columns} ${from} WHERE id = ?`)
  const some = state.prepare<[string, string, number, number], Row>(
    `SELECT ${columns} ${named} ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
  )
  const total = state.prepare<[string, string], { n: number }>(`SELECT count(*) AS n ${named}`)
  const all = state.prepare<[string], Row>(`SELECT ${columns} ${from} WHERE base_id = ?`)
  const next = state.prepare<[], Row>(
    `SELECT ${columns} ${from} WHERE state = ${embedding.running} ORDER BY created_at, rowid LIMIT 1`,
  )
  const insert = state.prepare(
    `INSERT INTO knowledge_documents (id, base_id, file_id, name, kind, bytes, knowledge_type, separators,
       sentence_size, parse_image, word_limit, state, tokens, words, created_at)
     VALUES (@id, @baseId, @fileId, @name, @kind, @bytes, @type, @separators,
       @sentenceSize, @parseImage, @wordLimit, ${embedding.running}, 0, 0, @at)`,
  )
  const forgetSlices = state.prepare('DELETE FROM knowledge_slices WHERE document_id = ?')
  const begin = state.prepare(
    `UPDATE knowledge_documents SET state = ${embedding.running}, fail_code = NULL, fail_message = NULL,
     attempts = 0 WHERE id = ?`,
  )
  const failed = state.prepare(
    `UPDATE knowledge_documents SET state = ${embedding.failed}, fail_code = ?, fail_message = ? WHERE id = ?`,
  )
  const link = state.prepare('UPDATE knowledge_documents SET media = ? WHERE id = ?')
  const attempted = state.prepare('UPDATE knowledge_documents SET attempts = ? WHERE id = ?')
  const remove = state.prepare('DELETE FROM knowledge_documents WHERE id = ?')
  const optional = (row: Row | undefined): StoredDocument | undefined => row && stored(row)
  return {
    create: ({ rules, parseImage, ...document }) =>
      void insert.run({
        ...document,
        type: rules.type,
        separators: JSON.stringify(rules.separators),
        sentenceSize: rules.sentenceSize,
        parseImage: parseImage ? 1 : 0,
      }),
    get: (id) => optional(one.get(id)),
    list: (baseId, word, page, size) => ({
      documents: some.all(baseId, word, size, (page - 1) * size).map(stored),
      total: total.get(baseId, word)?.n ?? 0,
    }),
    allOf: (baseId) => all.all(baseId).map(stored),
    nextRunning: () => optional(next.get()),
    restart: state.transaction((id: string) => {
      forgetSlices.run(id)
      begin.run(id)
    }),
    fail: (id, { code, message }) => void failed.run(code, message, id),
    setMedia: (id, media) => void link.run(media, id),
    setAttempts: (id, attempts) => void attempted.run(attempts, id),
    delete: (id) => void remove.run(id),
  }
}
