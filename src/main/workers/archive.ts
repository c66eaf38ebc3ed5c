import {
  answerArchive,
  type ArchiveAnswer,
  type ArchiveRequest,
} from '../domains/library/archive/archive-worker.ts'
import { serve } from '../platform/workers/serve-worker.ts'

/** Worker that writes, inspects and imports archives of the library, and restores backups: gigabytes, or one long transaction. */
serve<ArchiveRequest, ArchiveAnswer>(answerArchive)
