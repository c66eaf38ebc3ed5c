import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type {
  JoinedSegment,
  Speech,
  SpeechSegment,
  SpeechSettings,
  SpeechTake,
} from '../../../../../shared/model/speech.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Number of segments loaded at once. */
const batch = 300

/** The open narration with its segments. */
export const useSpeech = defineStore('speech', () => {
  const client = useClient()
  const speech = shallowRef<Speech | null>(null)
  const segments = shallowRef<readonly SpeechSegment[]>([])
  /** Positions of the segments in the joined audio. */
  const places = shallowRef<readonly JoinedSegment[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  /** Failure of the last request. */
  const refusal = shallowRef<Failure | null>(null)
  let opened = ''
  const latest = createLatest()

  const readSegments = async (): Promise<void> => {
    const isLatest = latest.start()
    const id = opened
    const all: SpeechSegment[] = []
    for (;;) {
      const reply = await client.request('speech.segments', { id, from: all.length, limit: batch })
      if (!isLatest() || id !== opened) return
      if (!reply.ok) {
        failure.value = reply.error
        state.value = 'failed'
        return
      }
      all.push(...reply.data.segments)
      if (!reply.data.more) break
    }
    segments.value = all
    state.value = 'ready'
  }
  const load = async (): Promise<void> => {
    const id = opened
    if (id === '') return
    const reply = await client.request('speech.get', { id })
    if (id !== opened) return
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      state.value = 'failed'
      return
    }
    speech.value = reply.data.speech
    await readSegments()
  }
  const open = async (id: string): Promise<void> => {
    if (id === opened) return
    close()
    opened = id
    if (id === '') return
    state.value = 'loading'
    await load()
  }
  const close = (): void => {
    opened = ''
    latest.cancel()
    speech.value = null
    segments.value = []
    failure.value = null
    refusal.value = null
    state.value = 'idle'
  }

  watch(
    () => speech.value?.joined?.mediaId,
    async (mediaId) => {
      places.value = []
      const id = opened
      if (mediaId === undefined) return
      const reply = await client.request('speech.get', { id, places: true })
      if (id !== opened || !reply.ok) return
      speech.value = reply.data.speech
      if (reply.data.speech.joined?.mediaId === mediaId) places.value = reply.data.places
    },
  )
  client.onEvent((event) => {
    if (event.type === 'speech.changed' && event.speech.id === opened) speech.value = event.speech
    if (event.type === 'library.changed' && event.itemIds.includes(opened)) void reread()
    if (event.type !== 'speech.segments' || event.id !== opened) return
    if (event.segments === null) return void readSegments()
    const changed = new Map(event.segments.map((segment) => [segment.id, segment]))
    segments.value = segments.value.map((segment) => changed.get(segment.id) ?? segment)
  })
  /** Its title and Trash state are part of the list row. */
  const reread = async (): Promise<void> => {
    const id = opened
    const reply = await client.request('speech.get', { id })
    if (reply.ok && id === opened) speech.value = reply.data.speech
  }

  const applyReply = <T extends { readonly speech: Speech }>(reply: Reply<T>): boolean => {
    refusal.value = reply.ok ? null : reply.error
    if (reply.ok && reply.data.speech.id === opened) speech.value = reply.data.speech
    return reply.ok
  }
  const configure = async (settings: Partial<SpeechSettings>, split = false): Promise<boolean> =>
    applyReply(await client.request('speech.configure', { id: opened, settings, split }))
  const create = async (
    text: string,
    settings: Partial<SpeechSettings>,
    title?: string,
  ): Promise<Speech | null> => {
    const reply = await client.request('speech.create', {
      text,
      settings,
      ...(title !== undefined && title.trim() !== '' && { title }),
    })
    refusal.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.speech : null
  }
  const speak = async (segmentIds?: readonly string[], id = opened): Promise<boolean> =>
    applyReply(
      await client.request('speech.speak', {
        id,
        ...(segmentIds && { segmentIds: [...segmentIds] }),
      }),
    )
  const takes = async (segmentId: string): Promise<readonly SpeechTake[]> => {
    const reply = await client.request('speech.takes', { id: opened, segmentId })
    refusal.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.takes : []
  }
  const duplicate = async (title: string): Promise<Speech | null> => {
    const reply = await client.request('speech.duplicate', { id: opened, title })
    refusal.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.speech : null
  }
  const recentVoices = async (): Promise<readonly string[]> => {
    const reply = await client.request('speech.recentVoices', {})
    return reply.ok ? reply.data.voices.map(({ id }) => id) : []
  }

  return {
    speech,
    segments,
    places,
    state,
    failure,
    refusal,
    /** The full text from its segments. */
    text: computed(() => segments.value.map((segment) => segment.text).join('')),
    open,
    load,
    close,
    create,
    configure,
    speak,
    takes,
    duplicate,
    recentVoices,
    setText: async (text: string) =>
      applyReply(await client.request('speech.setText', { id: opened, text })),
    editSegment: async (segmentId: string, text: string) =>
      applyReply(await client.request('speech.editSegment', { id: opened, segmentId, text })),
    stop: async () => applyReply(await client.request('speech.stop', { id: opened })),
    choose: async (takeId: string) =>
      applyReply(await client.request('speech.choose', { id: opened, takeId })),
    favour: async (takeId: string, favourite: boolean) => {
      const reply = await client.request('speech.favour', { id: opened, takeId, favourite })
      refusal.value = reply.ok ? null : reply.error
    },
    check: async (segmentIds: readonly string[]) =>
      applyReply(await client.request('speech.check', { id: opened, segmentIds: [...segmentIds] })),
    join: async () => applyReply(await client.request('speech.join', { id: opened })),
    exported: (format: 'wav' | 'mp3', language: 'en' | 'zh') =>
      client.request('speech.export', { id: opened, format, language }),
    rename: async (title: string) => {
      const reply = await client.request('library.rename', { id: opened, title })
      refusal.value = reply.ok ? null : reply.error
      await reread()
    },
  }
})
