import type { QueuedVersion } from '../../../../../shared/model/document.ts'
import type { Meeting } from '../../../../../shared/model/meeting.ts'
import { isHeld } from '../../../audio/store/index.ts'
import type { Store } from '../../../../library-database/store.ts'
import { voiceTargets } from './targets.ts'
import type { WorkRow } from './work-row.ts'

/** Returns the work on Library items that are not in the Trash. */
export function items(store: Store, documents: readonly QueuedVersion[]): readonly WorkRow[] {
  return [
    ...meetings(store),
    ...documents
      .filter(({ documentId }) => isThere(store, documentId))
      .map((version): WorkRow => {
        const { id, documentId, title, accountId, accountName, counts, error } = version
        const state =
          error !== null ? 'waiting' : version.state === 'running' ? 'running' : 'queued'
        const progress = 1 - counts.waiting / Math.max(1, counts.asked)
        const movable = state === 'waiting'
        return {
          kind: 'document',
          id,
          placeId: documentId,
          title,
          accountId,
          accountName,
          state,
          progress,
          error,
          movable,
        }
      }),
    ...chats(store),
    ...speeches(store),
  ]
}

const isThere = (store: Store, itemId: string): boolean =>
  store.items.summary(itemId)?.deletedAt === null

const nameOf = (store: Store, accountId: string): string =>
  store.accounts.get(accountId)?.name ?? ''

/** Maximum number of imports listed at once, like of documents: a migration leaves thousands. */
const maxImports = 200

type Progress = Pick<WorkRow, 'state' | 'progress' | 'error' | 'movable'>

const importProgressOf = (progress: number | null): Progress => ({
  state: 'running',
  progress,
  error: null,
  movable: false,
})

function meetings(store: Store): readonly WorkRow[] {
  const running = Map.groupBy(store.meetings.runningSummaries(), ({ meetingId }) => meetingId)
  const rowsOf = (
    { id, title, accountId }: Pick<Meeting, 'id' | 'title' | 'accountId'>,
    progress: Progress | null,
  ): readonly WorkRow[] => {
    const common = { placeId: id, title, accountId, accountName: nameOf(store, accountId) }
    const summaries = (running.get(id) ?? []).map(({ summary }): WorkRow => ({
      ...common,
      kind: 'summary',
      id: summary.id,
      state: 'running',
      progress: null,
      error: null,
      movable: false,
    }))
    return progress ? [{ ...common, kind: 'meeting', id, ...progress }, ...summaries] : summaries
  }
  const importing = store.meetings.importing()
  const listed = new Set(
    importing
      .filter(({ error }) => !isHeld(error))
      .slice(0, maxImports)
      .map(({ id }) => id),
  )
  const imports = importing
    .filter(({ id }) => listed.has(id) || running.has(id))
    .flatMap((meeting) =>
      rowsOf(meeting, listed.has(meeting.id) ? importProgressOf(meeting.importProgress) : null),
    )
  const imported = new Set(importing.map(({ id }) => id))
  const others = new Set([...store.meetings.unlooked(), ...store.meetings.withWork()])
  const open = Array.from(others).flatMap((id) => {
    const meeting = imported.has(id) ? undefined : store.meetings.get(id)
    if (!meeting) return []
    const live = meeting.state === 'recording' || meeting.state === 'paused'
    return rowsOf(meeting, live || isHeld(meeting.error) ? null : howFar(store, meeting))
  })
  return [
    ...imports,
    ...open,
    ...failures(
      store,
      new Set([...imported, ...open.filter(({ kind }) => kind === 'meeting').map(({ id }) => id)]),
    ),
  ]
}

/** Meetings whose transcription failed in part, unless it is still running or waiting elsewhere. */
const failures = (store: Store, open: ReadonlySet<string>): readonly WorkRow[] =>
  store.meetings.failures().flatMap(({ id, error }): WorkRow[] => {
    const meeting = open.has(id) ? undefined : store.meetings.get(id)
    if (!meeting) return []
    const { title, accountId } = meeting
    const common = { placeId: id, title, accountId, accountName: nameOf(store, accountId) }
    return [
      { ...common, kind: 'meeting', id, state: 'failed', progress: null, error, movable: false },
    ]
  })

function howFar(store: Store, { id, completeness, error }: Meeting): Progress {
  const { segments, waiting } = completeness
  const progress = 1 - waiting / Math.max(1, segments)
  const open = store.meetings.work(id, ['pending', 'inflight'])
  const held = open.find((one) => one.state === 'pending' && one.error !== null)
  const isInFlight = open.some((one) => one.state === 'inflight')
  const why = error ?? held?.error ?? null
  // A request in progress may still be answered, so it is not moved to another account.
  if (why !== null && !isInFlight) return { state: 'waiting', progress, error: why, movable: true }
  return { state: isInFlight ? 'running' : 'queued', progress, error: null, movable: false }
}

const chats = (store: Store): readonly WorkRow[] =>
  store.chats.unfinished().flatMap(({ messageId, conversationId, state }): WorkRow[] => {
    const conversation = store.chats.get(conversationId)
    if (!conversation || conversation.deletedAt !== null) return []
    const { title, accountId, accountName, settings } = conversation
    // The knowledge bases of an agent belong to their account.
    const movable = state === 'waiting' && settings.kind === 'assistant'
    const bound = settings.kind === 'agent' ? ('agent' as const) : null
    const common = { title, accountId, accountName, state, progress: null, error: null, movable }
    return [{ ...common, bound, kind: 'chat', id: messageId, placeId: conversationId }]
  })

const speeches = (store: Store): readonly WorkRow[] =>
  store.speech.openSpeeches().flatMap((id): WorkRow[] => {
    const speech = store.speech.get(id)
    if (!speech) return []
    const { title, counts, settings } = speech
    const accountId = settings.accountId ?? ''
    const held = store.speech.held(accountId).find((segment) => segment.speechId === id)
    return [
      {
        kind: 'speech',
        id,
        placeId: id,
        title,
        accountId,
        accountName: nameOf(store, accountId),
        progress: 1 - counts.open / Math.max(1, counts.pieces),
        ...(held && !store.speech.isSpeaking(id)
          ? {
              state: 'waiting',
              error: held.error,
              ...voiceTargets(store, accountId, settings.voice),
            }
          : { state: 'running', error: null, movable: false }),
      },
    ]
  })
