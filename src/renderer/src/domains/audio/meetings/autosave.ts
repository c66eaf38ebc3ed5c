import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Whether entered text is saved. */
type AutosaveState = 'saved' | 'waiting' | 'saving' | 'failed'

/** Maximum age of entered text before it is sent, in milliseconds. */
const quietMs = 800

/**
 * Creates a text that saves itself while it is edited. `save` returns the failure, or null; a text that could not be saved
 * stays, and is saved with the next change or `flush`.
 */
export function createAutosave(
  first: string,
  save: (text: string) => Promise<Failure | null>,
  after: (ms: number, work: () => void) => () => void,
) {
  const text = ref(first)
  const saved = ref(first)
  const sending = ref(0)
  const failure = shallowRef<Failure | null>(null)
  let sent = first
  const latest = createLatest()
  let cancelTimer: (() => void) | null = null

  const dirty = computed(() => text.value !== saved.value)
  const state = computed<AutosaveState>(() => {
    if (!dirty.value) return 'saved'
    if (sending.value > 0) return 'saving'
    return failure.value ? 'failed' : 'waiting'
  })

  const stopWaiting = (): void => {
    cancelTimer?.()
    cancelTimer = null
  }
  const flush = async (): Promise<void> => {
    stopWaiting()
    if (!dirty.value || (sending.value > 0 && sent === text.value)) return
    const isLatest = latest.start()
    sent = text.value
    // Not queued behind the previous one: a closing page has no time to wait for its response.
    sending.value++
    const failed = await save(sent)
    sending.value--
    if (!isLatest()) return
    failure.value = failed
    if (!failed) saved.value = sent
  }
  const type = (next: string): void => {
    text.value = next
    if (dirty.value) cancelTimer ??= after(quietMs, () => void flush())
  }
  /** Applies text saved elsewhere, unless text is being edited here. */
  const accept = (now: string): void => {
    if (dirty.value || sending.value > 0) return
    text.value = now
    saved.value = now
    sent = now
  }
  return { text, dirty, state, failure, type, flush, accept, stop: stopWaiting }
}

/** A text that saves itself. */
export type Autosave = ReturnType<typeof createAutosave>
