import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { JoinedPiece, JoinedSpeech, SpeechTake } from '../../../../shared/model/speech.ts'
import { useClient } from '../../api/use-client.ts'

/** What is played: all pieces as one, or one take alone. */
export type Playing =
  | { readonly kind: 'joined' }
  | { readonly kind: 'take'; readonly takeId: string }

/** One audio element for the joined sound and for single takes; the element is the truth: media keys and the system reach it too. */
export function useSpeechPlayer(
  joined: Ref<JoinedSpeech | null>,
  places: Ref<readonly JoinedPiece[]>,
  title: Ref<string>,
) {
  const client = useClient()
  const audio = new Audio()
  audio.preload = 'metadata'
  const source = shallowRef<Playing>({ kind: 'joined' })
  const playing = ref(false)
  const broken = ref(false)
  /** Seconds within the joined sound. */
  const at = ref(0)
  let frame = 0
  let loaded = ''

  const isJoined = computed(() => source.value.kind === 'joined')
  const tick = (): void => {
    if (isJoined.value) at.value = audio.currentTime
    if (!audio.paused) frame = requestAnimationFrame(tick)
  }
  audio.onplay = () => {
    playing.value = true
    navigator.mediaSession.metadata = new MediaMetadata({ title: title.value })
    tick()
  }
  audio.onpause = () => {
    playing.value = false
    cancelAnimationFrame(frame)
    if (isJoined.value) at.value = audio.currentTime
  }
  audio.onerror = () => (broken.value = true)

  const load = (mediaId: string): void => {
    if (loaded === mediaId) return
    loaded = mediaId
    broken.value = false
    audio.src = client.mediaUrl(mediaId)
  }
  const start = (): void => {
    // A browser that refuses to play says so through the error event of the element.
    audio.play().catch(() => (playing.value = false))
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
  // Another whole: what was played is not there any more.
  watch(
    () => joined.value?.mediaId,
    () => {
      if (isJoined.value) stop()
    },
  )
  /** The piece that is heard now, by the joined sound. */
  const pieceId = computed(() => {
    const ms = at.value * 1000
    if (!isJoined.value || (ms === 0 && !playing.value)) return null
    return places.value.findLast(({ startMs }) => startMs <= ms + 1)?.pieceId ?? null
  })
  onScopeDispose(() => {
    cancelAnimationFrame(frame)
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
  })
  return { source, playing, broken, at, pieceId, toggle, seek, playFrom, playTake, stop }
}

/** The player of what is opened. */
export type SpeechPlayer = ReturnType<typeof useSpeechPlayer>
