import {
  createChatDesk,
  type ChatExportAnswer,
  type ChatExportRequest,
} from '../exports/chats/desk.ts'
import {
  createChatJsonDesk,
  type ChatJsonAnswer,
  type ChatJsonRequest,
} from '../exports/chats/json-desk.ts'
import {
  createDocumentDesk,
  type DocumentExportAnswer,
  type DocumentExportRequest,
} from '../exports/documents/desk.ts'
import { createJsonDesk, type JsonAnswer, type JsonRequest } from '../exports/json-desk.ts'
import { packFiles, type PackFilesRequest } from '../exports/pack-files.ts'
import { writeVectors, type VectorExportRequest } from '../exports/vectors/write.ts'
import { writeExport, type ExportRequest } from '../exports/write.ts'
import { serve } from './serve.ts'

const jsonDesk = createJsonDesk()
const documentDesk = createDocumentDesk()
const chatDesk = createChatDesk()
const chatJsonDesk = createChatJsonDesk()

/** Writes meetings, documents, conversations and vectors into files, packs files, and reads our json: a long transcript takes seconds. */
serve<
  | ExportRequest
  | JsonRequest
  | DocumentExportRequest
  | ChatExportRequest
  | ChatJsonRequest
  | VectorExportRequest
  | PackFilesRequest,
  Uint8Array | JsonAnswer | DocumentExportAnswer | ChatExportAnswer | ChatJsonAnswer | number
>((request) => {
  if ('pack' in request) return packFiles(request)
  if ('vectors' in request) return writeVectors(request)
  if ('json' in request) return jsonDesk.answer(request)
  if ('chat' in request) return chatDesk.answer(request)
  if ('chatJson' in request) return chatJsonDesk.answer(request)
  return 'document' in request ? documentDesk.answer(request) : writeExport(request)
})
