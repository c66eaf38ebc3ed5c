import {
  answerArchive,
  type ArchiveAnswer,
  type ArchiveRequest,
} from '../archive/archive-worker.ts'
import { serve } from './serve.ts'

/** Writes, looks through and takes in archives of the library, and restores backups: gigabytes, or one long transaction. */
serve<ArchiveRequest, ArchiveAnswer>(answerArchive)
