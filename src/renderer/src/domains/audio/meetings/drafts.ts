import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowReactive, watch } from 'vue'
import type { Meeting } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createAutosave, type Autosave } from './autosave.ts'
import { useMeeting } from './meetings-store.ts'

/** Texts of a meeting that are saved while they are edited. */
type DraftField = 'notes' | 'prompt'

const fields: readonly DraftField[] = ['notes', 'prompt']

/** Drafts of meeting texts. They outlive the panel and the meeting until they are saved. */
export const useMeetingDrafts = defineStore('meeting-drafts', () => {
  const client = useClient()
  const store = useMeeting()
  const drafts = shallowReactive(new Map<string, Autosave>())
  const keyOf = (id: string, field: DraftField): string => `${field} ${id}`

  const after = (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  }
  const begin = (id: string, field: DraftField, text: string): Autosave => {
    const save = async (value: string) => {
      const reply = await client.request('meetings.update', { id, [field]: value })
      return reply.ok ? null : reply.error
    }
    return createAutosave(text, save, after)
  }
  const show = (meeting: Meeting): void => {
    for (const field of fields) {
      const key = keyOf(meeting.id, field)
      const known = drafts.get(key)
      if (known) known.accept(meeting[field])
      else drafts.set(key, begin(meeting.id, field, meeting[field]))
    }
  }
  const leave = async (id: string): Promise<void> => {
    for (const field of fields) {
      const key = keyOf(id, field)
      const draft = drafts.get(key)
      await draft?.flush()
      // Unsaved text waits here until the meeting is opened again.
      if (store.id !== id && draft?.state.value === 'saved') drafts.delete(key)
    }
  }
  /** Saves everything now. */
  const flush = async (): Promise<void> =>
    void (await Promise.all(Array.from(drafts.values(), (draft) => draft.flush())))

  watch(
    () => store.meeting,
    (now, before) => {
      if (before && before.id !== now?.id) void leave(before.id)
      if (now) show(now)
    },
    { immediate: true, flush: 'sync' },
  )
  const stopBridge = client.onBridge((bridge) => bridge === 'open' && void flush())
  const onPageHide = (): void => void flush()
  const page = globalThis.window
  page?.addEventListener('pagehide', onPageHide)
  page?.document.addEventListener('visibilitychange', onPageHide)
  onScopeDispose(() => {
    stopBridge()
    stopEvents()
    page?.removeEventListener('pagehide', onPageHide)
    page?.document.removeEventListener('visibilitychange', onPageHide)
  })

  const stopEvents = client.onEvent((event) => {
    // Another window may have changed the texts of a meeting that is not open here, because it is being recorded.
    if (event.type !== 'meeting.changed') return
    for (const field of fields)
      drafts.get(keyOf(event.meeting.id, field))?.accept(event.meeting[field])
  })
  /** Reads the notes of a meeting that is being recorded and thus not open; null if that fails. */
  const liveNotes = async (id: string): Promise<Autosave | null> => {
    const reply = await client.request('meetings.get', { id })
    if (!reply.ok) return null
    show(reply.data.meeting)
    return drafts.get(keyOf(id, 'notes')) ?? null
  }

  /** Returns the draft of the opened meeting. */
  const draftOf = (field: DraftField) =>
    computed(() => (store.meeting ? drafts.get(keyOf(store.meeting.id, field)) : undefined))
  return { notes: draftOf('notes'), prompt: draftOf('prompt'), liveNotes, flush }
})
