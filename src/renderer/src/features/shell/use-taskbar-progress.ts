import { computed, shallowRef, watch } from 'vue'
import type { Progress } from '../../../../shared/bridge/system.ts'
import type { Meeting } from '../../../../shared/model/meeting.ts'
import { useClient } from '../../api/use-client.ts'
import { useArchive } from '../archive/store.ts'
import { shareDone } from '../documents/parse-state.ts'
import { useSaves } from '../export/saves-store.ts'
import { useIntake } from '../intake/store.ts'
import { useDocumentQueue } from '../jobs/document-queue.ts'
import { useJobs } from '../jobs/store.ts'
import { briefState } from '../meetings/brief-state.ts'
import { useShell } from './store.ts'

/** Pieces of work that are under way, by a name of their own: 0 to 1, or null where nobody knows how far. */
export type Work = ReadonlyMap<string, number | null>

/**
 * Joins several pieces of work: the mean of those whose end is known, in whole percent. What is done counts until nothing is under way
 * any more, so that the whole never goes back.
 */
export function createTogether(): (work: Work) => Progress {
  const seen = new Map<string, number | null>()
  return (work) => {
    if (work.size === 0) {
      seen.clear()
      return null
    }
    for (const name of seen.keys()) if (!work.has(name)) seen.set(name, 1)
    for (const [name, fraction] of work) seen.set(name, fraction)
    if ([...work.values()].every((fraction) => fraction === null)) return 'unknown'
    const known = [...seen.values()].filter((fraction) => fraction !== null)
    const sum = known.reduce((all, each) => all + Math.min(1, Math.max(0, each)), 0)
    return Math.round((sum / known.length) * 100) / 100
  }
}

/** How far each meeting is that is imported or transcribed, as far as it was told since the page was loaded. */
function useRunningMeetings() {
  const meetings = shallowRef<Work>(new Map())
  const put = (id: string, meeting: Meeting | null): void => {
    const state = meeting && meeting.error === null ? briefState(meeting) : null
    const next = new Map(meetings.value)
    if (state?.key === 'importing' || state?.key === 'transcribing')
      next.set(id, state.progress ?? null)
    else next.delete(id)
    meetings.value = next
  }
  useClient().onEvent((event) => {
    if (event.type === 'meeting.changed') put(event.meeting.id, event.meeting)
    // Moved to the Trash, its work is stopped; where it goes on the next event says so.
    if (event.type === 'library.changed') for (const id of event.itemIds) put(id, null)
  })
  return meetings
}

/** Shows beside the app's icon how far everything is that is under way, where the host can. */
export function useTaskbarProgress(): void {
  const client = useClient()
  const shell = useShell()
  const intake = useIntake()
  const archive = useArchive()
  const jobs = useJobs()
  const queue = useDocumentQueue()
  const saves = useSaves()
  const meetings = useRunningMeetings()
  const together = createTogether()

  const work = computed((): Work => {
    const files = intake.imports
      .filter(({ state }) => ['waiting', 'uploading', 'adding'].includes(state))
      .map(({ id, progress }) => [`import ${id}`, progress] as const)
    const transcriptions = jobs.running.map(
      ({ id, state, progress }) => [`job ${id}`, state === 'queued' ? 0 : progress] as const,
    )
    // Documents that all wait, for the network say, are not under way.
    const documents = queue.running === 0 ? [] : queue.versions
    const { job, arriving } = archive
    return new Map<string, number | null>([
      ...files,
      ...transcriptions,
      ...documents.map(({ id, counts }) => [`document ${id}`, shareDone(counts)] as const),
      ...(shell.connection?.waiting ? [] : meetings.value),
      ...(arriving === null ? [] : [['archive arrives', arriving] as const]),
      ...(job?.state === 'running'
        ? [[`archive ${job.id}`, job.total > 0 ? job.done / job.total : null] as const]
        : []),
      ...(saves.longExports > 0 ? [['exports', null] as const] : []),
    ])
  })
  const progress = computed(() => together(work.value))
  watch([progress, () => shell.info?.host] as const, ([now, host]) => {
    if (host === 'electron') void client.request('system.progress', { progress: now })
  })
}
