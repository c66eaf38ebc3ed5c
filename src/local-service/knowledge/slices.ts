import { anyExpression } from '../../shared/text/query.ts'
import { indexTokens } from '../../shared/text/cut.ts'
import type { EmbeddingMethod } from '../engines/text-messages.ts'
import type { State } from '../state.ts'
import { embedding } from './documents.ts'
import type { Place, Slice, SlicePart } from '../../shared/knowledge/slicing/types.ts'

/** Slice with its vector, ready to be saved. */
export interface EmbeddedSlice extends Slice {
  readonly id: string
  /** Context that is embedded together with its text; empty without context enhancement. */
  readonly context: string
  readonly method: EmbeddingMethod
  readonly vector: Float32Array
}

/** Found slice with its document. */
export interface StoredSlice {
  readonly seq: number
  readonly id: string
  readonly baseId: string
  readonly documentId: string
  readonly documentName: string
  readonly kind: string
  readonly media: string | null
  readonly text: string
  readonly context: string
  readonly places: readonly Place[]
  readonly line: number | null
  /** Empty in knowledge bases of earlier versions. */
  readonly parts: readonly SlicePart[]
  readonly sheet: string | null
}

/** Slices to search; only those of finished documents. */
export interface Scope {
  readonly baseIds: readonly string[]
  /** Empty: all documents of the knowledge bases. */
  readonly documentIds: readonly string[]
}

interface StoredVector {
  readonly seq: number
  readonly method: EmbeddingMethod
  readonly vector: Float32Array
}

/** Slices with their words and vectors, in the database of the local service. */
export interface SliceStore {
  /**
   * Returns the texts of the saved slices of a document, in order, so that a restart can continue from there.
   */
  textsOf(documentId: string): readonly string[]
  forget(documentId: string): void
  /** Adds slices to a document that is still running; they are found only after it is done. */
  append(documentId: string, slices: readonly EmbeddedSlice[]): void
  /** Marks a document as done and saves its images. */
  finish(
    documentId: string,
    facts: {
      readonly tokens: number
      readonly words: number
      readonly images: readonly { readonly text: string; readonly media: string }[]
    },
  ): void
  images(documentId: string): readonly { readonly text: string; readonly media: string }[]
  vectors(scope: Scope): Iterable<StoredVector>
  /** Returns the best matches by BM25 for any word of the question, best first. */
  byWords(question: string, scope: Scope, limit: number): readonly number[]
  /** Returns the slices in no particular order. */
  get(seqs: readonly number[]): readonly StoredSlice[]
}

const inScope = `d.state = ${embedding.done} AND d.base_id IN (SELECT value FROM json_each(@bases))
  AND (@documents = '[]' OR d.id IN (SELECT value FROM json_each(@documents)))`

const bound = ({ baseIds, documentIds }: Scope): { bases: string; documents: string } => ({
  bases: JSON.stringify(baseIds),
  documents: JSON.stringify(documentIds),
})

/** Returns the numbers of a BLOB, copied to an aligned buffer. */
const floats = (blob: Buffer): Float32Array => new Float32Array(Uint8Array.from(blob).buffer)

/** Opens the store on existing tables. */
export function openSliceStore(state: State): SliceStore {
  const forget = state.prepare('DELETE FROM knowledge_slices WHERE document_id = ?')
  const forgetImages = state.prepare('DELETE FROM knowledge_images WHERE document_id = ?')
  const insert = state.prepare(
    `INSERT INTO knowledge_slices (id, document_id, text, context, places, line, parts, sheet, method, vector)
     VALUES (@id, @documentId, @text, @context, @places, @line, @parts, @sheet, @method, @vector)`,
  )
  const insertTerms = state.prepare('INSERT INTO knowledge_words (rowid, tokens) VALUES (?, ?)')
  const insertImage = state.prepare(
    'INSERT INTO knowledge_images (document_id, text, media) VALUES (?, ?, ?)',
  )
  const done = state.prepare(
    `UPDATE knowledge_documents SET state = ${embedding.done}, tokens = ?, words = ?, fail_code = NULL,
     fail_message = NULL WHERE id = ?`,
  )
  const texts = state.prepare<[string], { text: string }>(
    'SELECT text FROM knowledge_slices WHERE document_id = ? ORDER BY seq',
  )
  const images = state.prepare<[string], { text: string; media: string }>(
    'SELECT text, media FROM knowledge_images WHERE document_id = ? ORDER BY rowid',
  )
  const vectors = state.prepare<
    unknown[],
    { seq: number; method: EmbeddingMethod; vector: Buffer }
  >(
    `SELECT s.seq, s.method, s.vector FROM knowledge_documents d
     JOIN knowledge_slices s ON s.document_id = d.id WHERE ${inScope}`,
  )
  const words = state.prepare<unknown[], { seq: number }>(
    `SELECT s.seq FROM knowledge_words w JOIN knowledge_slices s ON s.seq = w.rowid
     JOIN knowledge_documents d ON d.id = s.document_id
     WHERE w.tokens MATCH @match AND ${inScope} ORDER BY bm25(knowledge_words) LIMIT @limit`,
  )
  const byId = state.prepare<
    [string],
    Omit<StoredSlice, 'places' | 'parts'> & { places: string; parts: string }
  >(
    `SELECT s.seq, s.id, d.base_id AS baseId, d.id AS documentId, d.name AS documentName, d.kind, d.media,
       s.text, s.context, s.places, s.line, s.parts, s.sheet
     FROM knowledge_slices s JOIN knowledge_documents d ON d.id = s.document_id
     WHERE s.seq IN (SELECT value FROM json_each(?))`,
  )
  return {
    textsOf: (documentId) => texts.all(documentId).map(({ text }) => text),
    forget: (documentId) => void forget.run(documentId),
    append: state.transaction((documentId: string, slices: readonly EmbeddedSlice[]) => {
      for (const { vector, places, parts, headings, ...slice } of slices) {
        const row = insert.run({
          ...slice,
          documentId,
          places: JSON.stringify(places),
          parts: JSON.stringify(parts),
          vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
        })
        insertTerms.run(row.lastInsertRowid, indexTokens([...headings, slice.text].join('\n')))
      }
    }),
    finish: state.transaction((documentId: string, facts) => {
      done.run(facts.tokens, facts.words, documentId)
      forgetImages.run(documentId)
      for (const { text, media } of facts.images) insertImage.run(documentId, text, media)
    }),
    images: (documentId) => images.all(documentId),
    *vectors(scope) {
      for (const { seq, method, vector } of vectors.iterate(bound(scope)))
        yield { seq, method, vector: floats(vector) }
    },
    byWords(question, scope, limit) {
      const match = anyExpression(question)
      if (match === '') return []
      return words.all({ ...bound(scope), match, limit }).map(({ seq }) => seq)
    },
    get: (seqs) =>
      byId.all(JSON.stringify(seqs)).map((row) => ({
        ...row,
        places: JSON.parse(row.places) as readonly Place[],
        parts: JSON.parse(row.parts) as readonly SlicePart[],
      })),
  }
}
