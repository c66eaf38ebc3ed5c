import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure } from '../../../shared/contract/reply.ts'

/** Notice about an event, with at most one action. */
export interface Toast {
  readonly id: number
  /** Message key and its values. */
  readonly key: string
  readonly values: Readonly<Record<string, string | number>>
  /** Count for plural messages. */
  readonly count: number
  readonly action: { readonly key: string; run(): void } | null
  /** Cause of a failure, whose text is the value `why`. */
  readonly failure: Failure | null
  /** Whether it is shown until it is dismissed: nothing else offers its action. */
  readonly lasting: boolean
  /** IDs of the items that the action affects: once they are handled otherwise, the toast is obsolete. */
  readonly about: readonly string[]
}

/** Display time of a toast in milliseconds; longer with an action or a failure. */
const stayMs = { plain: 4000, action: 9000 } as const

/** Visible toasts, oldest first. */
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
    if (toast.lasting) return
    const ms = toast.action || toast.failure ? stayMs.action : stayMs.plain
    timers.set(
      toast.id,
      setTimeout(() => dismiss(toast.id), ms),
    )
  }
  const show = (
    key: string,
    options: Partial<
      Pick<Toast, 'values' | 'count' | 'action' | 'failure' | 'about' | 'lasting'>
    > = {},
  ): void => {
    const toast: Toast = {
      id: next++,
      key,
      values: {},
      count: 1,
      action: null,
      failure: null,
      lasting: false,
      about: [],
      ...options,
    }
    // The oldest ones give way, lasting ones last.
    const others = toasts.value.toSorted((a, b) => Number(a.lasting) - Number(b.lasting)).slice(-2)
    toasts.value = [...toasts.value.filter((one) => others.includes(one)), toast]
    plan(toast)
  }
  const act = (id: number): void => {
    const action = toasts.value.find((toast) => toast.id === id)?.action
    dismiss(id)
    action?.run()
  }
  /** Runs the newest visible undo action, by keyboard; returns false if there is none. */
  const actNewest = (): boolean => {
    const newest = toasts.value.findLast(({ action }) => action?.key === 'app.undo')
    if (!newest) return false
    act(newest.id)
    return true
  }
  /** Removes toasts whose items were all handled otherwise. */
  const settle = (ids: readonly string[]): void => {
    for (const { id, about } of toasts.value)
      if (about.length > 0 && about.every((one) => ids.includes(one))) dismiss(id)
  }
  /** Keeps all toasts visible while the pointer or the focus is on them. */
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
