import {
  createChatExportWorker,
  type ChatExportAnswer,
  type ChatExportRequest,
} from '../domains/chats/exports/chat-export-worker.ts'
import {
  createChatJsonWorker,
  type ChatJsonAnswer,
  type ChatJsonRequest,
} from '../domains/chats/exports/chat-json-worker.ts'
import {
  createDocumentExportWorker,
  type DocumentExportAnswer,
  type DocumentExportRequest,
} from '../domains/documents/exports/document-export-worker.ts'
import {
  createJsonWorker,
  type JsonAnswer,
  type JsonRequest,
} from '../domains/audio/exports/json-worker.ts'
import { packFiles, type PackFilesRequest } from '../platform/export-files/pack-files.ts'
import { writeVectors, type VectorExportRequest } from '../platform/export-files/vectors/write.ts'
import { writeExport, type ExportRequest } from '../domains/audio/exports/write.ts'
import { serve } from '../platform/workers/serve-worker.ts'

const jsonWorker = createJsonWorker()
const documentExportWorker = createDocumentExportWorker()
const chatExportWorker = createChatExportWorker()
const chatJsonWorker = createChatJsonWorker()

/**
 * Writes meetings, documents, chats and vectors to files, packs files, and reads Lectern's JSON: a long transcript takes seconds.
 */
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
  if ('json' in request) return jsonWorker.answer(request)
  if ('chat' in request) return chatExportWorker.answer(request)
  if ('chatJson' in request) return chatJsonWorker.answer(request)
  return 'document' in request ? documentExportWorker.answer(request) : writeExport(request)
})
