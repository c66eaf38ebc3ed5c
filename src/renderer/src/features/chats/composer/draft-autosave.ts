import type { ChatDraft } from '../../../../../shared/model/chat.ts'

/** A draft without words and attachments is none. */
export const draftOf = ({ text, attachments }: ChatDraft): ChatDraft | null =>
  text.trim() === '' && attachments.length === 0 ? null : { text, attachments }

/** How long somebody has to pause before a draft is kept, in milliseconds. */
const pauseMs = 400
/** How long somebody may write without a pause before it is kept all the same, in milliseconds. */
const latestMs = 2000

/** What keeping drafts needs. */
export interface DraftAutosave {
  /** Keeps one; resolves with whether that was possible. */
  save(id: string, draft: ChatDraft | null): Promise<boolean>
}

/**
 * Keeps what is typed for each conversation, once the typing pauses and at the latest when it is left. One that could not be kept is tried again
 * with the next.
 */
export function createDraftAutosave({ save }: DraftAutosave) {
  /** Drafts that are not kept yet. */
  const open = new Map<string, ChatDraft | null>()
  /** As main has them by what was kept here, as json. */
  const saved = new Map<string, string>()
  /** On their way to main. */
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
  /** Keeps everything now; in order, one after the other. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    clearTimeout(latest)
    latest = undefined
    saving = saving.then(saveAll)
    return saving
  }
  return {
    /** The draft is another one now. */
    note(id: string, draft: ChatDraft): void {
      open.set(id, draftOf(draft))
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pauseMs)
      latest ??= setTimeout(() => void flush(), latestMs)
    },
    flush,
    /** Main had just this when it was told of it last. */
    isSaved: (id: string, draft: ChatDraft | null): boolean =>
      (saved.get(id) ?? 'null') === JSON.stringify(draft),
    /** Main has this draft, whoever gave it. */
    markSaved: (id: string, draft: ChatDraft | null): void => void saved.set(id, JSON.stringify(draft)),
    /** The conversation is no more. */
    forget(id: string): void {
      open.delete(id)
      saved.delete(id)
    },
    /** Something typed is not kept yet. */
    pending: (id: string): boolean => open.has(id) || flying.has(id),
  }
}
