import { onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParseOptions, ParsePlan } from '../../../../shared/model/document.ts'
import { useDocument } from './documents-store.ts'

/** Pause in typing before the plan is created, in milliseconds. */
const typingMs = 200

/** Plan of parsing with these options by an account, updated while they change; nothing is sent. */
export function usePlan(options: Ref<ParseOptions>, fresh: Ref<boolean>, accountId: Ref<string>) {
  const document = useDocument()
  const plan = shallowRef<ParsePlan | null>(null)
  /** Number of pages that need not be sent because they are already parsed the same way. */
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
      // The first plan is created immediately, later ones after a pause in typing.
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
