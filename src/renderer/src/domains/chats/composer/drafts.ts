import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ChatAttachment, ChatDraft, Conversation } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { withAttachment } from './attachments.ts'

export const emptyDraft: ChatDraft = { text: '', attachments: [] }

/** Key of the input without a chat: it is in memory only. */
export const withoutChat = ''

/** Joins two texts without duplication: main may have joined them already. */
function joined(first: string, second: string): string {
  if (first.endsWith(second)) return first
  if (second.startsWith(first)) return second
  return [first, second].filter((part) => part.trim() !== '').join('\n\n')
}

/** Store of the unsent input of each chat, including those not open; main saves it across restarts. */
export const useDrafts = defineStore('chatDrafts', () => {
  const client = useClient()
  const drafts = shallowRef<ReadonlyMap<string, ChatDraft>>(new Map())
  /** Drafts last reported by main, as JSON. */
  const reported = new Map<string, string>()
  const autosave = createDraftAutosave({
    save: async (id, draft) => {
      const sent = draft && { text: draft.text, attachments: [...draft.attachments] }
      return (await client.request('chats.draft', { id, draft: sent })).ok
    },
  })

  const put = (id: string, draft: ChatDraft): void => {
    drafts.value = new Map(drafts.value).set(id, draft)
  }
  const of = (id: string): ChatDraft => drafts.value.get(id) ?? emptyDraft
  const set = (id: string, draft: ChatDraft): void => {
    put(id, draft)
    if (id !== withoutChat) autosave.note(id, draft)
  }
  const add = (id: string, one: ChatAttachment): void => {
    const draft = of(id)
    const attachments = withAttachment(draft.attachments, one)
    if (attachments !== draft.attachments) set(id, { ...draft, attachments })
  }
  /** Inserts a draft before the current input: nothing of either is lost. */
  const fill = (id: string, { text, attachments }: ChatDraft): void => {
    const before = of(id)
    set(id, {
      text: joined(text, before.text),
      attachments: before.attachments.reduce(withAttachment, attachments),
    })
  }
  /** Handles a chat that is shown or updated by main: its draft is applied unless the input was changed since. */
  const meet = ({ id, draft }: Pick<Conversation, 'id' | 'draft'>): void => {
    const json = JSON.stringify(draft)
    if (reported.get(id) === json) return
    reported.set(id, json)
    const here = draftOf(of(id))
    if (autosave.pending(id) || (here !== null && !autosave.isSaved(id, here))) return
    autosave.markSaved(id, draft)
    if (JSON.stringify(here) !== json) put(id, draft ?? emptyDraft)
  }
  // Saves the drafts that could not be saved while the bridge was down.
  client.onReopen(() => void autosave.flush())
  client.onEvent((event) => {
    if (event.type !== 'chat.removed') return
    const left = new Map(drafts.value)
    for (const id of event.ids) {
      left.delete(id)
      reported.delete(id)
      autosave.forget(id)
    }
    drafts.value = left
  })
  return { drafts, of, set, add, fill, meet, flush: () => autosave.flush() }
})

/** Returns a draft; null if it has neither text nor attachments. */
export const draftOf = ({ text, attachments }: ChatDraft): ChatDraft | null =>
  text.trim() === '' && attachments.length === 0 ? null : { text, attachments }

/** Pause in typing before a draft is saved, in milliseconds. */
const pauseMs = 400
/** Maximum time of typing without a pause before a draft is saved, in milliseconds. */
const latestMs = 2000

interface DraftAutosave {
  /** Saves a draft; resolves with whether it succeeded. */
  save(id: string, draft: ChatDraft | null): Promise<boolean>
}

/**
 * Saves the input of each chat when typing pauses, and at the latest when the chat is left. A draft that could not be saved is
 * retried with the next one.
 */
function createDraftAutosave({ save }: DraftAutosave) {
  /** Unsaved drafts. */
  const open = new Map<string, ChatDraft | null>()
  /** Drafts last saved from here, as JSON. */
  const saved = new Map<string, string>()
  /** Drafts being sent to main. */
  const flying = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveAll = async (): Promise<void> => {
    const now = [...open]
    for (const [id, draft] of now) {
      if (open.get(id) === draft) open.delete(id)
      const json = JSON.stringify(draft)
      flying.add(id)
      if (saved.get(id) === json || (await save(id, draft))) saved.set(id, json)
      else if (!open.has(id)) open.set(id, draft)
      flying.delete(id)
    }
  }
  /** Saves all drafts now, one after the other. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    clearTimeout(latest)
    latest = undefined
    saving = saving.then(saveAll)
    return saving
  }
  return {
    /** Records a changed draft. */
    note(id: string, draft: ChatDraft): void {
      open.set(id, draftOf(draft))
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pauseMs)
      latest ??= setTimeout(() => void flush(), latestMs)
    },
    flush,
    /** Whether the last draft saved to main is this one. */
    isSaved: (id: string, draft: ChatDraft | null): boolean =>
      (saved.get(id) ?? 'null') === JSON.stringify(draft),
    /** Records the draft that main has, whatever its origin. */
    markSaved: (id: string, draft: ChatDraft | null): void =>
      void saved.set(id, JSON.stringify(draft)),
    /** Drops the draft of a deleted chat. */
    forget(id: string): void {
      open.delete(id)
      saved.delete(id)
    },
    /** Whether a draft is unsaved. */
    pending: (id: string): boolean => open.has(id) || flying.has(id),
  }
}
