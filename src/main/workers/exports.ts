import {
  createDocumentDesk,
  type DocumentExportAnswer,
  type DocumentExportRequest,
} from '../exports/documents/desk.ts'
import { createJsonDesk, type JsonAnswer, type JsonRequest } from '../exports/json-desk.ts'
import { writeExport, type ExportRequest } from '../exports/write.ts'
import { serve } from './serve.ts'

const jsonDesk = createJsonDesk()
const documentDesk = createDocumentDesk()

/** Writes meetings and documents into files and reads our json: a long transcript takes seconds. */
serve<
  ExportRequest | JsonRequest | DocumentExportRequest,
  Uint8Array | JsonAnswer | DocumentExportAnswer
>((request) => {
  if ('json' in request) return jsonDesk.answer(request)
  return 'document' in request ? documentDesk.answer(request) : writeExport(request)
})
