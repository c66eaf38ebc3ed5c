import { createJsonDesk, type JsonAnswer, type JsonRequest } from '../exports/json-desk.ts'
import {
  writeOneFile,
  type DocumentExportRequest,
  type OneFile,
} from '../exports/documents/one-file.ts'
import { writeExport, type ExportRequest } from '../exports/write.ts'
import { serve } from './serve.ts'

const desk = createJsonDesk()

/** Writes meetings and documents into files and reads our json: a long transcript takes seconds. */
serve<ExportRequest | JsonRequest | DocumentExportRequest, Uint8Array | JsonAnswer | OneFile>(
  (request) => {
    if ('json' in request) return desk.answer(request)
    return 'document' in request ? writeOneFile(request) : writeExport(request)
  },
)
