import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import { readMedia } from '../../../lib/bridge/read-media.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { readPeaks, type Peaks } from '../../audio/index.ts'

/** The peaks of the joined audio, which are saved with it. */
export function useSpeechPeaks(peaksId: Ref<string | null>) {
  const client = useClient()
  const peaks = shallowRef<Peaks | null>(null)
  let abort = new AbortController()
  watch(
    peaksId,
    async (id) => {
      abort.abort()
      abort = new AbortController()
      const { signal } = abort
      peaks.value = null
      if (id === null) return
      const bytes = await readMedia(client.mediaUrl(id), 0, signal)
      if (!signal.aborted) peaks.value = bytes && readPeaks(bytes)
    },
    { immediate: true },
  )
  onScopeDispose(() => abort.abort())
  return peaks
}
