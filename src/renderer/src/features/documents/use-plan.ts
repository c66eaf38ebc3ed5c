import { onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { ParseOptions, ParsePlan } from '../../../../shared/model/document.ts'
import { useDocument } from './store.ts'

/** Pause after the last key before the plan is made, in milliseconds. */
const typingMs = 200

/** What parsing with these options by an account would send, made anew while they are being changed; nothing is sent. */
export function usePlan(options: Ref<ParseOptions>, fresh: Ref<boolean>, accountId: Ref<string>) {
  const document = useDocument()
  const plan = shallowRef<ParsePlan | null>(null)
  /** Pages that need not be sent: they stand already, parsed the same way. */
  const reusedPages = ref(0)
  const failure = shallowRef<Failure | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = 0

  const make = async (): Promise<void> => {
    const mine = ++turn
    const reply = await document.plan({
      options: { ...options.value },
      fresh: fresh.value,
      ...(accountId.value !== '' && { accountId: accountId.value }),
    })
    if (mine !== turn) return
    plan.value = reply.ok ? reply.data.plan : null
    reusedPages.value = reply.ok ? reply.data.reusedPages : 0
    failure.value = reply.ok ? null : reply.error
  }
  watch(
    [options, fresh, accountId, () => document.id, () => document.document?.unlocked],
    () => {
      clearTimeout(timer)
      // What is opened has its plan at once; what is typed has it when the hand rests.
      timer = setTimeout(() => void make(), turn === 0 ? 0 : typingMs)
    },
    { immediate: true, deep: true },
  )
  onBeforeUnmount(() => {
    turn++
    clearTimeout(timer)
  })
  return { plan, reusedPages, failure }
}
