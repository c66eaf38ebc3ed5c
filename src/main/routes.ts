import type { Handlers } from './platform/bridge/router.ts'
import { accountHandlers } from './domains/settings/routes/accounts-routes.ts'
import { activityHandlers } from './domains/playground/routes/activity-routes.ts'
import { appHandlers } from './domains/library/routes/app-routes.ts'
import { archiveHandlers } from './domains/library/routes/archive-routes.ts'
import { backupHandlers } from './domains/library/routes/backups-routes.ts'
import { chatHandlers } from './domains/chats/routes/chats-routes.ts'
import { documentHandlers } from './domains/documents/routes/documents-routes.ts'
import { fileHandlers } from './domains/library/routes/files-routes.ts'
import { knowledgeHandlers } from './domains/knowledge/routes/knowledge-routes.ts'
import { libraryHandlers } from './domains/library/routes/library-routes.ts'
import { meetingHandlers } from './domains/audio/routes/meetings-routes.ts'
import { networkHandlers } from './domains/settings/routes/network-routes.ts'
import { quickHandlers } from './domains/chats/routes/quick-routes.ts'
import { embeddingHandlers } from './domains/knowledge/routes/embeddings-routes.ts'
import { rerankHandlers } from './domains/knowledge/routes/rerank-routes.ts'
import { responseHandlers } from './domains/playground/routes/responses-routes.ts'
import { retrievalHandlers } from './domains/knowledge/routes/retrieval-routes.ts'
import { runHandlers } from './domains/playground/routes/runs-routes.ts'
import { selfTestHandlers } from './domains/settings/routes/self-test-routes.ts'
import { semanticHandlers } from './domains/library/routes/semantic-routes.ts'
import { settingsHandlers } from './domains/settings/routes/settings-routes.ts'
import { shortcutHandlers } from './domains/settings/routes/shortcuts-routes.ts'
import { sliceHandlers } from './domains/knowledge/routes/slices-routes.ts'
import { slidesHandlers } from './domains/playground/routes/slides-routes.ts'
import { speechHandlers } from './domains/voices/routes/speech-routes.ts'
import { streamHandlers } from './domains/library/routes/streams-routes.ts'
import { systemHandlers } from './domains/settings/routes/system-routes.ts'
import { taskHandlers } from './domains/playground/routes/tasks-routes.ts'
import { updateHandlers } from './domains/settings/routes/updates-routes.ts'
import { voiceHandlers } from './domains/voices/routes/voices-routes.ts'
import { workHandlers } from './domains/library/routes/work-routes.ts'

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
  readonly voices: Parameters<typeof voiceHandlers>
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
  ...voiceHandlers(...parts.voices),
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
