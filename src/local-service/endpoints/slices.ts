import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { ServiceError } from '../errors.ts'
import { readJsonBody } from '../json-body.ts'
import { requiredText } from '../json-fields.ts'
import { openSessionStore } from '../knowledge/agent/sessions.ts'
import type { ReferencedSlice } from '../knowledge/api-slice.ts'
import type { Handler, Route } from '../context.ts'
import { envelope } from './envelope.ts'

const notice = engineNotices.sliceIds

/**
 * Returns one entry per page of the slice; slices of spreadsheets and text files have a line instead (service-notes 11).
 */
function entriesOf({ text, metadata }: ReferencedSlice): readonly object[] {
  const { doc_id: document_id, positions, line, sheet_name } = metadata
  const where = {
    ...(line !== null && { line }),
    ...(sheet_name !== null && { sheet_name }),
  }
  if (positions.length === 0) return [{ document_id, text, ...where }]
  return positions.map((position) => ({ document_id, position, text, ...where }))
}

/**
 * `POST /llm-application/open/v2/application/slice_info` (service-notes 11): returns the slices of an agent retrieval as
 * they were found.
 */
const positions: Handler = async ({ incoming }, context) => {
  const body = await readJsonBody(incoming)
  const messageId = requiredText(body, 'request_id')
  const callId = requiredText(body, 'node_id')
  const found = openSessionStore(context.state).node(messageId, callId)
  if (found === undefined) throw new ServiceError('notFound', 'Answer or node not found')
  const slices = found as readonly ReferencedSlice[]
  const documents = new Map<string, ReferencedSlice[]>()
  for (const slice of slices) {
    const own = documents.get(slice.metadata.doc_id)
    if (own) own.push(slice)
    else documents.set(slice.metadata.doc_id, [slice])
  }
  const { knowledge } = context
  const document_slices = Array.from(documents, ([id, own]) => {
    const { doc_name: name = '', dtype = 0 } = own[0]?.metadata ?? {}
    const media = knowledge.documents.get(id)?.media ?? null
    return {
      document: { id, name, url: media === null ? '' : knowledge.urlOf(media), dtype },
      slice_info: own.flatMap(entriesOf),
      hide_positions: own.every(({ metadata }) => metadata.positions.length === 0),
      images: knowledge.slices
        .images(id)
        .map((image) => ({ text: image.text, cos_url: knowledge.urlOf(image.media) })),
    }
  })
  const has_old_document = Array.from(documents.keys()).some((id) => !knowledge.documents.get(id))
  return envelope(context, { document_slices, has_old_document }, { notice })
}

export const slicesRoutes: readonly Route[] = [
  ['POST', '/llm-application/open/v2/application/slice_info', positions],
]
