import { computed, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { SegmentVersion } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
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
  const versions = shallowRef<readonly SegmentVersion[]>([])
  const failure = shallowRef<Failure | null>(null)
  let turn = 0

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
    const mine = ++turn
    if (store.id === null || !segmentId.value) {
      versions.value = []
      return
    }
    const segmentIds = [segmentId.value]
    const reply = await client.request('meetings.versions', { id: store.id, segmentIds })
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) versions.value = reply.data.versions
  }
  watch(segmentId, () => (versions.value = []))
  watch([version, () => again.proposals], () => void load(), { immediate: true })
  return { versions, failure, load }
}
