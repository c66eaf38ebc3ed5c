import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { SegmentVersion } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import type { AgainKind } from './retranscribe-options.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { proposalRows } from './proposals.ts'
import { useMeeting } from './meetings-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Delay after a change before suggestions are loaded, in milliseconds: responses arrive in bursts. */
const quietMs = 500

/** Transcribing the opened meeting again: the request, and the suggestions that wait for a decision. */
export const useRetranscribe = defineStore('meeting-again', () => {
  const client = useClient()
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
  /** Initial choice of the dialog. */
  const kind = ref<AgainKind | null>(null)
  const words = ref<readonly string[]>([])
  const proposals = shallowRef<readonly SegmentVersion[]>([])
  const failure = shallowRef<Failure | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const load = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const id = store.id
    const isLatest = latest.start()
    if (id === null) return
    const reply = await client.request('meetings.versions', { id })
    if (!isLatest()) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) proposals.value = reply.data.versions
  }
  watch(
    () => store.id,
    () => {
      proposals.value = []
      words.value = []
      kind.value = null
      void load()
    },
    { immediate: true },
  )
  watch(
    () => store.segmentChanges,
    () => (timer ??= setTimeout(() => void load(), quietMs)),
  )

  const rows = computed(() =>
    proposals.value.length === 0
      ? []
      : proposalRows(proposals.value, store.segmentById, store.lines),
  )
  /** Opens the dialog with one of its choices. */
  const open = (requested: AgainKind | null = null): void => {
    kind.value = requested
    workspace.dialog = 'again'
  }
  /** Requests another transcription; returns the number of its segments, or null if that failed. */
  const ask = async (request: Omit<RequestOf<'meetings.again'>, 'id'>): Promise<number | null> => {
    const id = store.id
    if (id === null) return null
    const reply = await client.request('meetings.again', { id, ...request })
    failure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.segments : null
  }
  /** Accepts suggestions into the transcript, or rejects them. */
  const decide = async (versions: readonly SegmentVersion[], accept: boolean): Promise<boolean> => {
    const ids = new Set(versions.map(({ id }) => id))
    if (ids.size === 0) return true
    const decided = await store.decide([...ids], accept)
    if (decided) proposals.value = proposals.value.filter(({ id }) => !ids.has(id))
    await load()
    return decided
  }
  return { kind, words, proposals, rows, failure, load, open, ask, decide }
})
