import { createJsonDesk, type JsonAnswer, type JsonRequest } from '../exports/json-desk.ts'
import { writeExport, type ExportRequest } from '../exports/write.ts'
import { serve } from './serve.ts'

const desk = createJsonDesk()

/** Writes meetings into files and reads our json: a long transcript takes seconds. */
serve<ExportRequest | JsonRequest, Uint8Array | JsonAnswer>((request) =>
  'json' in request ? desk.answer(request) : writeExport(request),
)
