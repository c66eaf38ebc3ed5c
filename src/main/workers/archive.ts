import {
  answerArchive,
  type ArchiveAnswer,
  type ArchiveRequest,
} from '../archive/archive-worker.ts'
import { serve } from './serve.ts'

/** Worker that writes, inspects and imports archives of the library, and restores backups: gigabytes, or one long transaction. */
serve<ArchiveRequest, ArchiveAnswer>(answerArchive)
