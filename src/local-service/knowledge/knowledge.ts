import { readFile } from 'node:fs/promises'
import { slicesOf } from '../../shared/knowledge/slicing/slices.ts'
import {
  DocumentFailure,
  type DocumentKind,
  type Slice,
} from '../../shared/knowledge/slicing/types.ts'
import { PageFailure, type PageEngine } from '../engines/pages.ts'
import { TextFailure, type TextEngine } from '../engines/text.ts'
import type { FileStore } from '../file-store.ts'
import { mediaName, type MediaEnding, type MediaStore } from '../media-store.ts'
import type { State } from '../state.ts'
import { openBaseStore, type BaseFields, type BaseStore } from './bases.ts'
import {
  openDocumentStore,
  type DocumentStore,
  type NewDocument,
  type StoredDocument,
} from './documents.ts'
import { embedSlices, measured } from './embed.ts'
import { createIndexer } from './indexer.ts'
import { collected } from './pause.ts'
import { readDocument } from './readers/index.ts'
import { retrieve, type Found, type RetrievalQuery } from './retrieve.ts'
import { openSliceStore, type SliceStore } from './slices.ts'

/** Total capacity of all local knowledge bases (service-notes 7). */
export const capacity = { words: 20_000_000, bytes: 2 * 1024 * 1024 * 1024 } as const

/** Local knowledge bases: documents are parsed, chunked and embedded in the background. */
export interface Knowledge {
  readonly bases: BaseStore
  readonly documents: Pick<DocumentStore, 'get' | 'list'>
  readonly slices: Pick<SliceStore, 'images'>
  readonly fileStore: FileStore
  /** Saves a document as running and starts processing it. */
  add(document: NewDocument): void
  /** Embeds a document again. */
  embed(documentId: string): void
  /** Updates a knowledge base; a change of the model or of context enhancement embeds everything again. */
  updateBase(id: string, fields: BaseFields): void
  deleteDocument(document: StoredDocument): Promise<void>
  deleteBase(id: string): Promise<void>
  retrieve(question: RetrievalQuery, signal: AbortSignal): Promise<readonly Found[]>
  /** Returns the URL of a stored image or of a document that can be opened. */
  urlOf(media: string): string
  /** Continues with documents that were running when the service ended. */
  start(): void
  stop(): Promise<void>
}

interface KnowledgeDeps {
  readonly state: State
  readonly text: TextEngine
  readonly pages: PageEngine
  readonly media: MediaStore
  readonly fileStore: FileStore
  /** Returns UUIDs. */
  readonly ids: () => string
}

const endings: Readonly<Partial<Record<DocumentKind, MediaEnding>>> = {
  pdf: 'pdf',
  png: 'png',
  jpeg: 'jpg',
}

/** Opens the knowledge bases; processing starts with {@link Knowledge.start}. */
export function openKnowledge(deps: KnowledgeDeps): Knowledge {
  const { state, text, pages, media, fileStore, ids } = deps
  makeKnowledgeTables(state)
  const bases = openBaseStore(state)
  const documents = openDocumentStore(state)
  const slices = openSliceStore(state)

  const link = async (document: StoredDocument, bytes: Uint8Array): Promise<void> => {
    const ending = endings[document.kind]
    if (document.media !== null || !ending) return
    const name = mediaName(await media.put(bytes, ending))
    documents.setMedia(document.id, name)
    // Deleted in the meantime: nothing else would remove the linked copy.
    if (!documents.get(document.id)) await media.remove(name)
  }

  /**
   * Returns the number of slices that an earlier start already embedded; 0 if they differ from the current ones.
   */
  const savedSlices = (documentId: string, cut: readonly Slice[]): number => {
    const texts = slices.textsOf(documentId)
    if (texts.every((words, i) => words === cut[i]?.text)) return texts.length
    slices.forget(documentId)
    return 0
  }

  const makeSlices = async (document: StoredDocument, signal: AbortSignal): Promise<void> => {
    const path = await fileStore.pathOf(document.fileId)
    if (path === undefined)
      throw new DocumentFailure(10001, 'The file of the document no longer exists')
    const bytes = Uint8Array.from(await readFile(path))
    await link(document, bytes)
    const { passages, images } = await readDocument({ ...document, bytes }, pages, {
      images: document.parseImage,
      signal,
    })
    const cut = await collected(slicesOf(passages, document.rules), signal)
    const room = capacity.words - (bases.used().words - document.words)
    const sums = await measured(cut, Math.min(room, document.wordLimit ?? Infinity), signal)
    const contextual = bases.get(document.baseId)?.contextual === 1
    const here = { name: document.name, contextual }
    for (const batch of batches(cut.slice(savedSlices(document.id, cut)))) {
      const embedded = await embedSlices(batch, here, text, ids, signal)
      // Deleted or restarted: the new results no longer belong to a document.
      if (signal.aborted || !documents.get(document.id)) return
      slices.append(document.id, embedded)
      documents.setAttempts(document.id, 1)
    }
    const saved = []
    for (const image of images)
      saved.push({ text: image.text, media: mediaName(await media.put(image.png, 'png')) })
    if (signal.aborted || !documents.get(document.id)) {
      await Promise.all(saved.map((image) => media.remove(image.media)))
      return
    }
    const old = slices.images(document.id)
    slices.finish(document.id, { ...sums, images: saved })
    await Promise.all(old.map((image) => media.remove(image.media)))
  }

  /**
   * Processes a document. If the work ended the whole service, it is retried once and then fails, otherwise the service
   * would never start again.
   */
  const work = async (document: StoredDocument, signal: AbortSignal): Promise<void> => {
    if (document.attempts >= maxAttempts)
      throw new DocumentFailure(
        10001,
        'The service failed twice while it processed the document. It will not try again',
      )
    documents.setAttempts(document.id, document.attempts + 1)
    try {
      await makeSlices(document, signal)
    } finally {
      // The indexer handles database errors with its own delay; the document's result must not be lost because of this
      // one.
      if (documents.get(document.id)?.attempts) documents.setAttempts(document.id, 0)
    }
  }

  const indexer = createIndexer({
    next: () => documents.nextRunning(),
    work,
    fail: (document, error) => documents.fail(document.id, failureOf(error)),
  })

  const embed = (documentId: string): void => {
    documents.restart(documentId)
    indexer.cancel(documentId)
    indexer.wake()
  }

  const deleteDocument = async (document: StoredDocument): Promise<void> => {
    const images = slices.images(document.id)
    const linked = documents.get(document.id)?.media ?? null
    documents.delete(document.id)
    indexer.cancel(document.id)
    await fileStore.remove(document.fileId)
    const names = [...images.map((image) => image.media), ...(linked === null ? [] : [linked])]
    await Promise.all(names.map((name) => media.remove(name)))
  }

  return {
    bases,
    documents,
    slices,
    fileStore,
    add(document) {
      documents.create(document)
      indexer.wake()
    },
    embed,
    updateBase(id, fields) {
      const before = bases.get(id)
      bases.update(id, fields)
      if (before?.embeddingId === fields.embeddingId && before.contextual === fields.contextual)
        return
      for (const document of documents.allOf(id)) embed(document.id)
    },
    deleteDocument,
    async deleteBase(id) {
      for (const document of documents.allOf(id)) await deleteDocument(document)
      bases.delete(id)
    },
    retrieve: (question, signal) => retrieve(question, slices, text, signal),
    urlOf: (name) => media.urlOf(name),
    start: () => indexer.wake(),
    stop: () => indexer.stop(),
  }
}

/** Maximum number of attempts for a document whose processing may end the service. */
const maxAttempts = 2

/**
 * Slices embedded and saved per batch (about two seconds of work), and maximum characters of a batch unless it is a
 * single slice.
 */
const batchSize = 32
const batchChars = 250_000

function* batches(slices: readonly Slice[]): Generator<readonly Slice[]> {
  let batch: Slice[] = []
  let chars = 0
  for (const slice of slices) {
    if (
      batch.length === batchSize ||
      (batch.length > 0 && chars + slice.text.length > batchChars)
    ) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(slice)
    chars += slice.text.length
  }
  if (batch.length > 0) yield batch
}

/** Returns the value of `failInfo`; the text of unknown failures is omitted. */
function failureOf(error: unknown): Pick<DocumentFailure, 'code' | 'message'> {
  if (error instanceof DocumentFailure) return error
  const isKnown = error instanceof PageFailure || error instanceof TextFailure
  const reason = isKnown ? `: ${error.message}` : ''
  return { code: 10001, message: `The document could not be embedded${reason}` }
}

/**
 * Creates missing tables of knowledge bases. Times are Unix milliseconds; vectors are 32-bit floats in native byte
 * order.
 */
function makeKnowledgeTables(state: State): void {
  state.exec(`
    CREATE TABLE IF NOT EXISTS knowledge_bases (
      id TEXT PRIMARY KEY,
      embedding_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      contextual INTEGER NOT NULL,
      background TEXT NOT NULL,
      icon TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS knowledge_documents (
      id TEXT PRIMARY KEY,
      base_id TEXT NOT NULL REFERENCES knowledge_bases ON DELETE CASCADE,
      file_id TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      media TEXT,
      knowledge_type INTEGER,
      separators TEXT NOT NULL,
      sentence_size INTEGER NOT NULL,
      parse_image INTEGER NOT NULL,
      word_limit INTEGER,
      state INTEGER NOT NULL,
      fail_code INTEGER,
      fail_message TEXT,
      tokens INTEGER NOT NULL,
      words INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_documents_of_base ON knowledge_documents (base_id);

    CREATE TABLE IF NOT EXISTS knowledge_slices (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      document_id TEXT NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
      text TEXT NOT NULL,
      context TEXT NOT NULL,
      places TEXT NOT NULL,
      line INTEGER,
      parts TEXT NOT NULL DEFAULT '[]',
      sheet TEXT,
      method TEXT NOT NULL,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_slices_of_document ON knowledge_slices (document_id);

    CREATE TABLE IF NOT EXISTS knowledge_images (
      document_id TEXT NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
      text TEXT NOT NULL,
      media TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS knowledge_images_of_document ON knowledge_images (document_id);

    CREATE VIRTUAL TABLE IF NOT EXISTS knowledge_words USING fts5(
      tokens, content='', contentless_delete=1, tokenize='ascii', prefix='1'
    );
    CREATE TRIGGER IF NOT EXISTS knowledge_slice_deleted AFTER DELETE ON knowledge_slices BEGIN
      DELETE FROM knowledge_words WHERE rowid = old.seq;
    END;
  `)
  // Migrates tables of an earlier version.
  const later = [
    ['knowledge_documents', 'attempts', 'INTEGER NOT NULL DEFAULT 0'],
    ['knowledge_slices', 'parts', `TEXT NOT NULL DEFAULT '[]'`],
  ] as const
  for (const [table, column, type] of later) {
    const columns = state.pragma(`table_info(${table})`) as readonly { name: string }[]
    if (!columns.some(({ name }) => name === column))
      state.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`)
  }
}
