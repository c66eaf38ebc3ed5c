import type { OpenProcess } from '../../../../system/own-process/program.ts'
import type { WorkerUrl } from '../../../deps.ts'
import { createDocumentTexts } from '../worker/text-work.ts'
import { createDocumentWork } from '../worker/work.ts'
import type { NetworkChoices } from '../../settings/index.ts'
import { createDocuments } from './documents.ts'
import { createDocumentExports, type DocumentExports } from './exports.ts'
import { createHandover, type Handover, type HandoverDeps } from './send-to/send-to.ts'
import { createDocumentReader, type DocumentReader } from './reader.ts'
import { createRemoteGet } from '../../../provider-client/remote-get.ts'
import type { DocumentsDeps, DocumentsService } from './document-service-types.ts'

export type AllDocumentsDeps = Omit<DocumentsDeps, 'work' | 'texts' | 'remote'> &
  HandoverDeps & {
    readonly version: string
    readonly workerUrl: WorkerUrl
    /** Used by the programs that process files. */
    readonly openProcess: OpenProcess
    /** Used to fetch images that responses reference. */
    readonly network: NetworkChoices
  }

/** All services for documents: processing, reading, export. */
export interface AllDocuments {
  readonly documents: DocumentsService
  readonly reader: DocumentReader
  readonly writer: DocumentExports
  readonly handover: Handover
  /** Ends the worker programs; `documents` is shut down before. */
  close(): Promise<void>
}

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
