import type { OpenProcess } from '../../../system/own-process/program.ts'
import type { WorkerUrl } from '../../deps.ts'
import { createDocumentTexts } from '../../documents/text-work.ts'
import { createDocumentWork } from '../../documents/work.ts'
import type { NetworkChoices } from '../network/network.ts'
import { createDocuments } from './documents.ts'
import { createDocumentExports, type DocumentExports } from './exports.ts'
import { createHandover, type Handover, type HandoverDeps } from './send-to/send-to.ts'
import { createDocumentReader, type DocumentReader } from './reader.ts'
import { createRemoteGet } from './remote-get.ts'
import type { DocumentsDeps, DocumentsService } from './types.ts'

/** What everything about documents is built from. */
export type AllDocumentsDeps = Omit<DocumentsDeps, 'work' | 'texts' | 'remote'> &
  HandoverDeps & {
    readonly version: string
    readonly workerUrl: WorkerUrl
    /** For what works on files. */
    readonly openProcess: OpenProcess
    /** For pictures that replies name. */
    readonly network: NetworkChoices
  }

/** Everything about documents: what is done with them, read of them, given out of them. */
export interface AllDocuments {
  readonly documents: DocumentsService
  readonly reader: DocumentReader
  readonly writer: DocumentExports
  readonly handover: Handover
  /** Ends the programs beside the main thread; `documents` is shut down before. */
  close(): Promise<void>
}

/** Builds it. */
export function createAllDocuments(deps: AllDocumentsDeps): AllDocuments {
  const program = deps.workerUrl('documents')
  const texts = createDocumentTexts(program)
  const documents = createDocuments({
    ...deps,
    work: createDocumentWork(program, deps.openProcess),
    texts,
    remote: createRemoteGet(deps.network),
  })
  const reader = createDocumentReader({ ...deps, documents, texts })
  const writer = createDocumentExports({ ...deps, documents })
  return {
    documents,
    reader,
    writer,
    handover: createHandover(deps),
    async close() {
      await Promise.all([writer.close(), texts.close()])
    },
  }
}
