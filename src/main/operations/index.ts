import { agents } from './agents.ts'
import { assistants } from './assistants.ts'
import { connection } from './connection.ts'
import { documents } from './documents.ts'
import { embeddings } from './embeddings.ts'
import { files } from './files.ts'
import { knowledge } from './knowledge.ts'
import { layout } from './layout.ts'
import type { Operation } from './operation.ts'
import { rerank } from './rerank.ts'
import { responses } from './responses.ts'
import { slices } from './slices.ts'
import { slides } from './slides.ts'
import { speech } from './speech.ts'
import { tasks } from './tasks.ts'
import { transcriptions } from './transcriptions.ts'
import { voices } from './voices.ts'

/** All operations of the provider, in the order of the API reference. */
export const operations = {
  ...responses, // 4.1: stored model responses
  ...voices, // 4.2, 4.3: cloned voices
  ...files, // uploads for cloning and attachments
  ...speech, // text to speech with a voice
  ...rerank, // 4.4: rank candidates for a query
  ...agents, // 4.5: the retrieval agent
  ...slides, // 4.6: the slides agent
  ...knowledge, // 4.7 to 4.11: knowledge bases
  ...documents, // documents in knowledge bases
  ...slices, // 4.12: citation positions
  ...embeddings, // 4.13: texts to vectors
  ...transcriptions, // 4.14: speech to text
  ...tasks, // 4.15: asynchronous tasks
  ...assistants, // 4.16, 4.17: assistants
  ...layout, // 4.18: documents to Markdown
  ...connection, // tests the provider and the API key
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** Returns the operation of that name; undefined for any other text. */
export function operationOf(name: string): Operation | undefined {
  return Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined
}
