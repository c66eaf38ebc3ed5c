import type { RunSummary } from '../../../shared/model/run.ts'
import type { Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import { createRemoteGet } from '../../provider-client/remote-get.ts'
import type { ServiceTarget } from '../../provider-client/types.ts'
import type { Runs } from '../playground/index.ts'
import { documentHandlers, highlightHandlers } from './routes.ts'
import { createDocuments } from './service/documents.ts'
import { createDocumentExports } from './service/exports.ts'
import { createHighlights } from './service/highlights.ts'
import { createDocumentReader } from './service/reader.ts'
import { createHandover } from './service/send-to/send-to.ts'
import { createDocumentTexts, createDocumentWork } from './worker/work.ts'

/** Documents: parsing, reading, export, and sending their text elsewhere. */
export function setupDocuments(
  context: Context,
  needs: {
    readonly runs: Runs
    /** Adds a listener to every change of a run. */
    onRun(listener: (run: RunSummary) => void): void
    /** Fetches all knowledge bases of an account into the mirror. */
    fetchBases(target: ServiceTarget): Promise<unknown>
  },
) {
  const program = context.workerUrl('documents')
  const texts = createDocumentTexts(program)
  const work = createDocumentWork(program, context.openProcess)
  const documents = createDocuments({
    ...context,
    work,
    texts,
    remote: createRemoteGet(context.network),
    onWaiting: (count) => context.setWaiting('documents', count),
  })
  const reader = createDocumentReader({ ...context, documents, texts })
  const highlights = createHighlights(context)
  const writer = createDocumentExports({ ...context, documents, work })
  const handover = createHandover({ ...context, ...needs })
  needs.onRun(handover.runChanged)
  return {
    documents,
    handover,
    work: {
      documents: [
        documents,
        handover,
        highlights,
        {
          async close() {
            await Promise.all([writer.close(), texts.close()])
          },
        },
      ],
    } satisfies Works,
    handlers: {
      ...documentHandlers(documents, reader, writer, handover),
      ...highlightHandlers(highlights, writer),
    },
  }
}
