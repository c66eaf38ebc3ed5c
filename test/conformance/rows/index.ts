import type { Row } from '../row.ts'
import { chatRows } from './chat.ts'
import { knowledgeRows } from './knowledge.ts'
import { modelRows } from './models.ts'
import { responseRows } from './responses.ts'
import { voiceRows } from './voices.ts'

/** Rows of every operation of the API. */
export const rows: readonly Row[] = [
  ...responseRows,
  ...voiceRows,
  ...modelRows,
  ...chatRows,
  ...knowledgeRows,
]
