import type Database from 'better-sqlite3'
import { library } from './0010-library.ts'
import { counts } from './0020-counts.ts'
import { tasks } from './0030-tasks.ts'
import { runs } from './0040-runs.ts'
import { usage } from './0050-usage.ts'
import { meetings } from './0060-meetings.ts'
import { documents } from './0070-documents.ts'
import { handover } from './0080-handover.ts'
import { searchMerges } from './0090-search-merges.ts'
import { chats } from './0100-chats.ts'
import { chatHolders } from './0110-chat-holders.ts'
import { chatLists } from './0120-chat-lists.ts'
import { voices } from './0130-voices.ts'
import { speech } from './0140-speech.ts'
import { knowledge } from './0150-knowledge.ts'
import { retrieval } from './0160-retrieval.ts'
import { vectors } from './0170-vectors.ts'
import { rankingsAndEmbeddings } from './0180-rankings-embeddings.ts'
import { remoteItems } from './0190-lookups.ts'
import { archive } from './0200-archive.ts'
import { speechSpeed } from './0210-speech-speed.ts'
import { retrievalSearch } from './0220-retrieval-search.ts'
import { knowledgeImages } from './0230-knowledge-pictures.ts'
import { taskNames } from './0240-kept-names.ts'
import { entryTags } from './0250-entry-tags.ts'
import { mediaOrigin } from './0260-media-origin.ts'
import { messageParts } from './0270-message-parts.ts'

/** One step of the schema. Never changed once released; version numbers are multiples of ten. */
export interface Migration {
  readonly version: number
  up(db: Database.Database): void
}

/** All steps, oldest first. */
export const migrations: readonly Migration[] = [
  library,
  counts,
  tasks,
  runs,
  usage,
  meetings,
  documents,
  handover,
  searchMerges,
  chats,
  chatHolders,
  chatLists,
  voices,
  speech,
  knowledge,
  retrieval,
  vectors,
  rankingsAndEmbeddings,
  remoteItems,
  archive,
  speechSpeed,
  retrievalSearch,
  knowledgeImages,
  taskNames,
  entryTags,
  mediaOrigin,
  messageParts,
]
