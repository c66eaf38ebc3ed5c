import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import { readMedia } from '../../../lib/bridge/read-media.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Number of drawn columns, and the sample rate for decoding them. */
const columns = 600
const rate = 8000
/** Samples are at most 10 MB, and previews are shorter. */
const maxBytes = 16 * 1024 * 1024

/** A waveform for display. */
export interface Waves {
  /** Alternating minimum and maximum of each column, -127 to 127. */
  readonly peaks: readonly number[]
  readonly seconds: number
}

/** The waveform of saved audio of a sample or a preview; null while loading, and if it cannot be decoded. */
export function useWaves(mediaId: Ref<string | null>) {
  const client = useClient()
  const waves = shallowRef<Waves | null>(null)
  let abort = new AbortController()
  watch(
    mediaId,
    async (id) => {
      abort.abort()
      abort = new AbortController()
      const { signal } = abort
      waves.value = null
      if (id === null) return
      const found = await decode(client.mediaUrl(id), signal).catch(() => null)
      if (!signal.aborted) waves.value = found
    },
    { immediate: true },
  )
  onScopeDispose(() => abort.abort())
  return waves
}

async function decode(url: string, signal: AbortSignal): Promise<Waves | null> {
  const bytes = await readMedia(url, 0, signal)
  if (!bytes || bytes.byteLength > maxBytes) return null
  const audio = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes)
  return { peaks: peaksOf(audio.getChannelData(0)), seconds: audio.duration }
}

function peaksOf(samples: Float32Array): readonly number[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * samples.length) / columns)
    const to = Math.max(from + 1, Math.floor(((column + 1) * samples.length) / columns))
    let [min, max] = [0, 0]
    for (const sample of samples.subarray(from, to)) {
      min = Math.min(min, sample)
      max = Math.max(max, sample)
    }
    return [min * 127, max * 127]
  }).flat()
}
