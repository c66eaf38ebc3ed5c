import { conversationStore } from './assistants/conversations.ts'
import type { ServiceContext } from './context.ts'
import { openSessionStore } from './knowledge/agent/sessions.ts'
import { retentionDays } from './retention-days.ts'
import { responseStore } from './responses/store.ts'
import { slidesStore } from './slides/store.ts'
import type { State } from './state.ts'
import { taskStore } from './tasks/store.ts'
import { voiceStore } from './voices/store.ts'

const dayMs = 24 * 3600 * 1000

/**
 * Returns the names of linked files that are still referenced by documents of knowledge bases, voices, decks or tasks.
 */
function mediaInUse(state: State): ReadonlySet<string> {
  const rows = state
    .prepare<[], { readonly name: string }>(
      `SELECT media AS name FROM knowledge_documents WHERE media IS NOT NULL
       UNION SELECT media FROM knowledge_images
       UNION SELECT sample FROM voices
       UNION SELECT picture.value FROM slides_turns, json_each(turn, '$.pictures') AS picture
       UNION SELECT image.value FROM tasks, json_each(result, '$.images') AS image`,
    )
    .all()
  return new Set(rows.map(({ name }) => name))
}

/**
 * Removes data older than {@link retentionDays}. Knowledge bases, voices and uploads stay until they are deleted
 * explicitly.
 */
export async function forgetOld({
  state,
  media,
  clock,
}: Pick<ServiceContext, 'state' | 'media' | 'clock'>): Promise<void> {
  const before = (days: number): number => clock() - days * dayMs
  // Opening the store removes expired responses.
  responseStore(state, clock)
  taskStore(state).forgetBefore(before(retentionDays.tasks))
  conversationStore(state).forgetBefore(before(retentionDays.conversations))
  openSessionStore(state).forgetBefore(before(retentionDays.sessions))
  slidesStore(state).forgetBefore(before(retentionDays.slides))
  voiceStore(state)
  await media.prune(before(retentionDays.links), mediaInUse(state))
}
