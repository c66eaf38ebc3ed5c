import { switchAccount } from './accounts.ts'
import { askDocument, readPdf } from './documents.ts'
import type { Journey } from './journey.ts'
import { askKnowledge } from './knowledge.ts'
import { exportItems, search } from './library.ts'
import { askMeeting, importAudio, record, summarize } from './meetings.ts'
import { cloneVoice, speakText } from './voices.ts'

export const journeys: readonly Journey[] = [
  record,
  importAudio,
  readPdf,
  askDocument,
  askMeeting,
  summarize,
  search,
  cloneVoice,
  speakText,
  askKnowledge,
  exportItems,
  switchAccount,
]
