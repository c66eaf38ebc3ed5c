import type { PageEngine } from './engines/pages.ts'
import type { SpeechEngine } from './engines/speech.ts'
import type { TextEngine } from './engines/text.ts'
import type { FileStore } from './file-store.ts'
import type { ServiceReply, ServiceRequest } from './http.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import type { MediaStore } from './media-store.ts'
import type { State } from './state.ts'
import type { LibraryPassage } from './protocol.ts'

export interface ServiceContext {
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Returns a new ID of 36 characters. */
  readonly ids: () => string
  readonly speech: SpeechEngine
  readonly text: TextEngine
  readonly pages: PageEngine
  readonly files: FileStore
  readonly media: MediaStore
  readonly state: State
  readonly knowledge: Knowledge
  /** Full-text search of the Library, if the app that started the service offers it. */
  readonly library: ((query: string, limit: number) => Promise<readonly LibraryPassage[]>) | null
}

/** Answers one operation. Throws ServiceError. */
export type Handler = (request: ServiceRequest, context: ServiceContext) => Promise<ServiceReply>

/** One operation. Path segments that begin with `:` are passed to the handler. Earlier routes win. */
export type Route = readonly [method: string, path: string, handler: Handler]
