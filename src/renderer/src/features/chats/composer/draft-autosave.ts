import type { ChatDraft } from '../../../../../shared/model/chat.ts'

/** Returns a draft; null if it has neither text nor attachments. */
export const draftOf = ({ text, attachments }: ChatDraft): ChatDraft | null =>
  text.trim() === '' && attachments.length === 0 ? null : { text, attachments }

/** Pause in typing before a draft is saved, in milliseconds. */
const pauseMs = 400
/** Maximum time of typing without a pause before a draft is saved, in milliseconds. */
const latestMs = 2000

export interface DraftAutosave {
  /** Saves a draft; resolves with whether it succeeded. */
  save(id: string, draft: ChatDraft | null): Promise<boolean>
}

/**
 * Saves the input of each chat when typing pauses, and at the latest when the chat is left. A draft that could not be saved is
 * retried with the next one.
 */
export function createDraftAutosave({ save }: DraftAutosave) {
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
