import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { JoinedSegment, JoinedSpeech, SpeechTake } from '../../../../../shared/model/speech.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useAudio } from '../../audio/index.ts'

/** What is being played: all segments as one, or a single take. */
type Playing = { readonly kind: 'joined' } | { readonly kind: 'take'; readonly takeId: string }

/** One audio element for the joined audio and for single takes. */
export function useSpeechPlayer(
  joined: Ref<JoinedSpeech | null>,
  places: Ref<readonly JoinedSegment[]>,
  title: Ref<string>,
) {
  const client = useClient()
  const source = shallowRef<Playing>({ kind: 'joined' })
  /** Position in the joined audio, in seconds. */
  const at = ref(0)
  let loaded = ''
  const isJoined = computed(() => source.value.kind === 'joined')
  const { audio, playing, broken, start, ...controls } = useAudio(
    () => title.value,
    (seconds) => {
      if (isJoined.value) at.value = seconds
    },
  )

  const load = (mediaId: string): void => {
    if (loaded === mediaId) return
    loaded = mediaId
    controls.load(client.mediaUrl(mediaId))
  }
  const seek = (seconds: number): void => {
    const whole = joined.value
    if (!whole) return
    const to = Math.min(Math.max(0, seconds), whole.durationMs / 1000)
    if (!isJoined.value) audio.pause()
    source.value = { kind: 'joined' }
    load(whole.mediaId)
    audio.currentTime = to
    at.value = to
  }
  const playFrom = (seconds: number): void => {
    seek(seconds)
    start()
  }
  const toggle = (): void => {
    if (!joined.value) return
    if (isJoined.value && !audio.paused) return audio.pause()
    playFrom(at.value >= joined.value.durationMs / 1000 - 0.05 ? 0 : at.value)
  }
  const playTake = (take: Pick<SpeechTake, 'id' | 'mediaId'>): void => {
    const same = source.value.kind === 'take' && source.value.takeId === take.id
    if (same && !audio.paused) return audio.pause()
    source.value = { kind: 'take', takeId: take.id }
    load(take.mediaId)
    audio.currentTime = 0
    start()
  }
  const stop = (): void => {
    audio.pause()
    source.value = { kind: 'joined' }
    at.value = 0
    loaded = ''
  }
  // The joined audio was replaced: the playing file no longer exists.
  watch(
    () => joined.value?.mediaId,
    () => {
      if (isJoined.value) stop()
    },
  )
  /** The segment being played, by the position in the joined audio. */
  const segmentId = computed(() => {
    const ms = at.value * 1000
    if (!isJoined.value || (ms === 0 && !playing.value)) return null
    return places.value.findLast(({ startMs }) => startMs <= ms + 1)?.pieceId ?? null
  })
  return { source, playing, broken, at, segmentId, toggle, seek, playFrom, playTake, stop }
}

/** The player of the open narration. */
export type SpeechPlayer = ReturnType<typeof useSpeechPlayer>
