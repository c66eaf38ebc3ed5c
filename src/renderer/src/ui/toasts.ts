import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure } from '../../../shared/bridge/reply.ts'

/** A notice about something that happened elsewhere, with at most one action. */
export interface Toast {
  readonly id: number
  /** Key and values of the sentence. */
  readonly key: string
  readonly values: Readonly<Record<string, string | number>>
  /** For sentences with a plural. */
  readonly count: number
  readonly action: { readonly key: string; run(): void } | null
  /** Why it did not work: its words are the value `why`. */
  readonly failure: Failure | null
  /** Ids of what the action is about: once they are dealt with otherwise, the toast has nothing to offer. */
  readonly about: readonly string[]
}

/** How long a toast stays, in milliseconds; longer when there is something to do or a reason to read. */
const stayMs = { plain: 4000, action: 9000 } as const

/** The toasts on screen, oldest first. */
export const useToasts = defineStore('toasts', () => {
  const toasts = ref<Toast[]>([])
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  let next = 1

  const dismiss = (id: number): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }
  const plan = (toast: Toast): void => {
    const ms = toast.action || toast.failure ? stayMs.action : stayMs.plain
    timers.set(
      toast.id,
      setTimeout(() => dismiss(toast.id), ms),
    )
  }
  const show = (
    key: string,
    options: Partial<Pick<Toast, 'values' | 'count' | 'action' | 'failure' | 'about'>> = {},
  ): void => {
    const toast: Toast = {
      id: next++,
      key,
      values: {},
      count: 1,
      action: null,
      failure: null,
      about: [],
      ...options,
    }
    toasts.value = [...toasts.value.slice(-2), toast]
    plan(toast)
  }
  const act = (id: number): void => {
    const action = toasts.value.find((toast) => toast.id === id)?.action
    dismiss(id)
    action?.run()
  }
  /** Runs the newest undo on screen, by keyboard; false when there is none. */
  const actNewest = (): boolean => {
    const newest = toasts.value.findLast(({ action }) => action?.key === 'app.undo')
    if (!newest) return false
    act(newest.id)
    return true
  }
  /** These were dealt with otherwise: toasts that are about nothing else go. */
  const settle = (ids: readonly string[]): void => {
    for (const { id, about } of toasts.value)
      if (about.length > 0 && about.every((one) => ids.includes(one))) dismiss(id)
  }
  /** While the pointer or the focus is on the toasts none of them leaves. */
  const hold = (): void => {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }
  const release = (): void => {
    hold()
    for (const toast of toasts.value) plan(toast)
  }
  return { toasts, show, dismiss, act, actNewest, settle, hold, release }
})
