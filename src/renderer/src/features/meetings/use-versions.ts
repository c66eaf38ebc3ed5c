import { computed, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Reading } from '../../../../shared/model/meeting.ts'
import { useClient } from '../../api/use-client.ts'
import { useRetranscribe } from './retranscribe-store.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { currentText } from './proposals.ts'
import { useMeeting } from './store.ts'

/** Every reading of the chosen line's segment, newest first, as long as one line is chosen. */
export function useVersions() {
  const client = useClient()
  const store = useMeeting()
  const desk = useMeetingWorkspace()
  const again = useRetranscribe()
  const readings = shallowRef<readonly Reading[]>([])
  const failure = shallowRef<Failure | null>(null)
  let turn = 0

  const segmentId = computed(() => (desk.chosen.length === 1 ? desk.chosen[0]?.segmentId : null))
  /** Changes whenever another reading may have come, or another one stands. */
  const version = computed(() => {
    const id = segmentId.value
    if (!id) return ''
    const { readingId, state, attempts } = store.segmentById.get(id) ?? {}
    return [id, readingId, state, attempts, currentText(store.lines, id)].join('\n')
  })
  const load = async (): Promise<void> => {
    const mine = ++turn
    if (store.id === null || !segmentId.value) {
      readings.value = []
      return
    }
    const segmentIds = [segmentId.value]
    const reply = await client.request('meetings.readings', { id: store.id, segmentIds })
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) readings.value = reply.data.readings
  }
  watch(segmentId, () => (readings.value = []))
  watch([version, () => again.proposals], () => void load(), { immediate: true })
  return { readings, failure, load }
}
