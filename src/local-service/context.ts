import type { SpeechEngine } from './engines/speech.ts'
import type { FileShelf } from './files-shelf.ts'

/** What handlers need from outside. */
export interface ServiceContext {
  /** Unix milliseconds. */
  readonly clock: () => number
  /** A new id: 36 characters. */
  readonly ids: () => string
  readonly speech: SpeechEngine
  readonly files: FileShelf
}
