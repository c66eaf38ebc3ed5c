import { computed, watch, type Ref } from 'vue'
import { useCapture } from '../recorder/recorder-store.ts'
import { useMeeting } from '../meetings/meetings-store.ts'
import { useRecording } from './recordings-store.ts'
import { useOpenedItem } from './use-opened-item.ts'

/** Content of the work area: `live` is a meeting while this page records it. */
export type OpenedPane = 'none' | 'opening' | 'recording' | 'meeting' | 'live'

/** Opens the item of the address in the store of its kind, and returns what to show. */
export function useOpenedPane(id: Ref<string>) {
  const recording = useRecording()
  const meeting = useMeeting()
  const capture = useCapture()
  const opened = useOpenedItem(id)

  const pane = computed<OpenedPane>(() => {
    if (id.value === '') return 'none'
    if (capture.state.meetingId === id.value) return 'live'
    const kind = opened.item.value?.kind ?? 'opening'
    // Other kinds have their own views, and the address belongs to one of them.
    return kind === 'meeting' || kind === 'recording' ? kind : 'opening'
  })
  /** Whether it is loaded and can be shown. */
  const ready = computed(() => {
    if (pane.value === 'recording') return recording.item !== null
    return pane.value === 'meeting' ? meeting.meeting !== null : pane.value === 'live'
  })
  const failure = computed(() => {
    if (pane.value === 'recording') return recording.failure
    return pane.value === 'meeting' ? meeting.failure : opened.failure.value
  })
  const binned = computed(() => (opened.item.value?.deletedAt ?? null) !== null)
  const hasAudio = computed(() => (opened.item.value?.meeting?.completeness.writtenMs ?? 0) > 0)
  const load = async (): Promise<void> => {
    if (pane.value === 'recording') await recording.refresh()
    else await Promise.all([opened.load(), meeting.load()])
  }
  watch(
    [pane, id],
    ([kind, now]) => {
      if (kind === 'recording') void recording.open(now)
      else recording.close()
      if (kind === 'meeting') void meeting.open(now, hasAudio.value)
      else meeting.close()
    },
    { immediate: true },
  )
  return { pane, ready, failure, binned, item: opened.item, load }
}
