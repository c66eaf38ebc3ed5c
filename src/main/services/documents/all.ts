import type { WorkerUrl } from '../../deps.ts'
import { createDocumentTexts } from '../../documents/text-work.ts'
import { createDocuments } from './documents.ts'
import { createDocumentExports, type DocumentExports } from './exports.ts'
import { createDocumentReader, type DocumentReader } from './reader.ts'
import type { DocumentsDeps, DocumentsService } from './types.ts'

/** What everything about documents is built from. */
export interface AllDocumentsDeps extends DocumentsDeps {
  readonly version: string
  readonly workerUrl: WorkerUrl
}

/** Everything about documents: what is done with them, read of them, given out of them. */
export interface AllDocuments {
  readonly documents: DocumentsService
  readonly reader: DocumentReader
  readonly writer: DocumentExports
  /** Ends the programs beside the main thread; `documents` is shut down before. */
  close(): Promise<void>
}

/** Builds it. */
export function createAllDocuments(deps: AllDocumentsDeps): AllDocuments {
  const documents = createDocuments(deps)
  const texts = createDocumentTexts(deps.workerUrl('documents'))
  const reader = createDocumentReader({ ...deps, documents, texts })
  const writer = createDocumentExports({ ...deps, documents })
  return {
    documents,
    reader,
    writer,
    async close() {
      await Promise.all([writer.close(), texts.close()])
    },
  }
}
