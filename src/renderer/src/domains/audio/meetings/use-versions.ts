import { computed, watch } from 'vue'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'
import { useRetranscribe } from './retranscribe-store.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { currentText } from './proposals.ts'
import { useMeeting } from './meetings-store.ts'

/** All versions of the selected line's segment, newest first, while one line is selected. */
export function useVersions() {
  const client = useClient()
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
  const again = useRetranscribe()
  const {
    data,
    failure,
    load: request,
    clear,
  } = useLatest(
    (id: string, segmentId: string) =>
      client.request('meetings.versions', { id, segmentIds: [segmentId] }),
    { keep: true },
  )

  const segmentId = computed(() =>
    workspace.chosen.length === 1 ? workspace.chosen[0]?.segmentId : null,
  )
  /** Changes whenever there may be another version, or another one is current. */
  const version = computed(() => {
    const id = segmentId.value
    if (!id) return ''
    const { versionId, state, attempts } = store.segmentById.get(id) ?? {}
    return [id, versionId, state, attempts, currentText(store.lines, id)].join('\n')
  })
  const load = async (): Promise<void> => {
    if (store.id === null || !segmentId.value) clear()
    else await request(store.id, segmentId.value)
  }
  watch(segmentId, clear)
  watch([version, () => again.proposals], () => void load(), { immediate: true })
  return { versions: computed(() => data.value?.versions ?? []), failure, load }
}
