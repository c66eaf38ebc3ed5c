import type { Handlers } from '../router.ts'
import { accountHandlers } from './accounts.ts'
import { activityHandlers } from './activity.ts'
import { appHandlers } from './app.ts'
import { archiveHandlers } from './archive.ts'
import { backupHandlers } from './backups.ts'
import { chatHandlers } from './chats.ts'
import { documentHandlers } from './documents.ts'
import { fileHandlers } from './files.ts'
import { jobHandlers } from './jobs.ts'
import { knowledgeHandlers } from './knowledge.ts'
import { libraryHandlers } from './library.ts'
import { meetingHandlers } from './meetings.ts'
import { networkHandlers } from './network.ts'
import { quickHandlers } from './quick.ts'
import { embeddingHandlers } from './embeddings.ts'
import { rerankHandlers } from './rerank.ts'
import { responseHandlers } from './responses.ts'
import { retrievalHandlers } from './retrieval.ts'
import { runHandlers } from './runs.ts'
import { selfTestHandlers } from './selfTest.ts'
import { semanticHandlers } from './semantic.ts'
import { settingsHandlers } from './settings.ts'
import { shortcutHandlers } from './shortcuts.ts'
import { sliceHandlers } from './slices.ts'
import { slidesHandlers } from './slides.ts'
import { speechHandlers } from './speech.ts'
import { streamHandlers } from './streams.ts'
import { systemHandlers } from './system.ts'
import { taskHandlers } from './tasks.ts'
import { transcriptionHandlers } from './transcriptions.ts'
import { updateHandlers } from './updates.ts'
import { voiceHandlers } from './voices.ts'
import { workHandlers } from './work.ts'

/** Dependencies of each group of routes. */
export interface HandlerParts {
  readonly app: Parameters<typeof appHandlers>
  readonly archive: Parameters<typeof archiveHandlers>
  readonly backups: Parameters<typeof backupHandlers>
  readonly updates: Parameters<typeof updateHandlers>
  readonly settings: Parameters<typeof settingsHandlers>
  readonly accounts: Parameters<typeof accountHandlers>
  readonly library: Parameters<typeof libraryHandlers>
  readonly documents: Parameters<typeof documentHandlers>
  readonly chats: Parameters<typeof chatHandlers>
  readonly meetings: Parameters<typeof meetingHandlers>
  readonly network: Parameters<typeof networkHandlers>
  readonly files: Parameters<typeof fileHandlers>
  readonly quick: Parameters<typeof quickHandlers>
  readonly shortcuts: Parameters<typeof shortcutHandlers>
  readonly transcriptions: Parameters<typeof transcriptionHandlers>
  readonly voices: Parameters<typeof voiceHandlers>
  readonly jobs: Parameters<typeof jobHandlers>
  readonly work: Parameters<typeof workHandlers>
  readonly knowledge: Parameters<typeof knowledgeHandlers>
  readonly retrieval: Parameters<typeof retrievalHandlers>
  readonly slices: Parameters<typeof sliceHandlers>
  readonly selfTest: Parameters<typeof selfTestHandlers>
  readonly semantic: Parameters<typeof semanticHandlers>
  readonly responses: Parameters<typeof responseHandlers>
  readonly slides: Parameters<typeof slidesHandlers>
  readonly speech: Parameters<typeof speechHandlers>
  readonly runs: Parameters<typeof runHandlers>
  readonly embeddings: Parameters<typeof embeddingHandlers>
  readonly rerank: Parameters<typeof rerankHandlers>
  readonly system: Parameters<typeof systemHandlers>
  readonly tasks: Parameters<typeof taskHandlers>
  readonly activity: Parameters<typeof activityHandlers>
  readonly streams: Parameters<typeof streamHandlers>
}

/** Returns every route with its handler; a missing one is a compile error. */
export const allHandlers = (parts: HandlerParts): Handlers => ({
  ...appHandlers(...parts.app),
  ...archiveHandlers(...parts.archive),
  ...backupHandlers(...parts.backups),
  ...updateHandlers(...parts.updates),
  ...settingsHandlers(...parts.settings),
  ...accountHandlers(...parts.accounts),
  ...libraryHandlers(...parts.library),
  ...documentHandlers(...parts.documents),
  ...chatHandlers(...parts.chats),
  ...meetingHandlers(...parts.meetings),
  ...networkHandlers(...parts.network),
  ...fileHandlers(...parts.files),
  ...quickHandlers(...parts.quick),
  ...shortcutHandlers(...parts.shortcuts),
  ...transcriptionHandlers(...parts.transcriptions),
  ...voiceHandlers(...parts.voices),
  ...jobHandlers(...parts.jobs),
  ...workHandlers(...parts.work),
  ...knowledgeHandlers(...parts.knowledge),
  ...retrievalHandlers(...parts.retrieval),
  ...sliceHandlers(...parts.slices),
  ...selfTestHandlers(...parts.selfTest),
  ...semanticHandlers(...parts.semantic),
  ...responseHandlers(...parts.responses),
  ...slidesHandlers(...parts.slides),
  ...speechHandlers(...parts.speech),
  ...runHandlers(...parts.runs),
  ...embeddingHandlers(...parts.embeddings),
  ...rerankHandlers(...parts.rerank),
  ...systemHandlers(...parts.system),
  ...taskHandlers(...parts.tasks),
  ...activityHandlers(...parts.activity),
  ...streamHandlers(...parts.streams),
})
