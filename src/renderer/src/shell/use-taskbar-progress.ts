import { computed, shallowRef, watch } from 'vue'
import type { Progress } from '../../../shared/contract/system.ts'
import type { Meeting } from '../../../shared/model/meeting.ts'
import { useClient } from '../lib/bridge/use-client.ts'
import { useArchive } from '../domains/library/archive/archive-store.ts'
import { shareDone } from '../domains/library/entries/parse-state.ts'
import { useIntake } from '../domains/library/intake/intake-store.ts'
import { useDocumentQueue } from '../domains/library/jobs/document-queue.ts'
import { useWork } from '../domains/library/jobs/work-store.ts'
import { briefState } from '../domains/library/entries/brief-state.ts'
import { useShell } from '../lib/app-store.ts'

/** Progress of running work by a unique name: 0 to 1, or null if unknown. */
type Work = ReadonlyMap<string, number | null>

/**
 * Combines the progress of several tasks: the mean of those with known progress, in whole percent. Completed tasks count
 * until nothing is running any more, so that the total never decreases.
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

/** Progress of each meeting being imported or transcribed, as far as events were received since the page was loaded. */
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
    // Moving to Trash stops its work; if the work continues, the next event reports it.
    if (event.type === 'library.changed') for (const id of event.itemIds) put(id, null)
  })
  return meetings
}

/** Shows the progress of all running work on the app's icon, where the host can. */
export function useTaskbarProgress(): void {
  const client = useClient()
  const shell = useShell()
  const intake = useIntake()
  const archive = useArchive()
  const queue = useDocumentQueue()
  const jobs = useWork()
  const meetings = useRunningMeetings()
  const together = createTogether()

  const work = computed((): Work => {
    const files = intake.imports
      .filter(({ state }) => ['waiting', 'uploading', 'adding'].includes(state))
      .map(({ id, progress }) => [`import ${id}`, progress] as const)
    // Documents that are all waiting, for example for the network, are not running.
    const documents = queue.running === 0 ? [] : queue.versions
    const { job, arriving } = archive
    return new Map<string, number | null>([
      ...files,
      ...documents.map(({ id, counts }) => [`document ${id}`, shareDone(counts)] as const),
      ...(shell.connection?.waiting ? [] : meetings.value),
      ...(arriving === null ? [] : [['archive arrives', arriving] as const]),
      ...(job?.state === 'running'
        ? [[`archive ${job.id}`, job.total > 0 ? job.done / job.total : null] as const]
        : []),
      ...jobs.list.flatMap(({ kind, id, state }) =>
        kind === 'export' && state === 'running' ? [[`export ${id}`, null] as const] : [],
      ),
    ])
  })
  const progress = computed(() => together(work.value))
  watch([progress, () => shell.info?.host] as const, ([now, host]) => {
    if (host === 'electron') void client.request('system.progress', { progress: now })
  })
}
