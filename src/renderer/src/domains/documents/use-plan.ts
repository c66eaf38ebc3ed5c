import { computed, onBeforeUnmount, watch, type Ref } from 'vue'
import type { ParseOptions } from '../../../../shared/model/document.ts'
import { useLatest } from '../../kit/use-latest.ts'
import { useDocument } from './documents-store.ts'

/** Pause in typing before the plan is created, in milliseconds. */
const typingMs = 200

/** Plan of parsing with these options by an account, updated while they change; nothing is sent. */
export function usePlan(options: Ref<ParseOptions>, fresh: Ref<boolean>, accountId: Ref<string>) {
  const document = useDocument()
  const { data, failure, load } = useLatest(() =>
    document.plan({
      options: { ...options.value },
      fresh: fresh.value,
      ...(accountId.value !== '' && { accountId: accountId.value }),
    }),
  )
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = true

  watch(
    [options, fresh, accountId, () => document.id, () => document.document?.unlocked],
    () => {
      clearTimeout(timer)
      // The first plan is created immediately, later ones after a pause in typing.
      timer = setTimeout(() => void load(), first ? 0 : typingMs)
      first = false
    },
    { immediate: true, deep: true },
  )
  onBeforeUnmount(() => clearTimeout(timer))
  return {
    plan: computed(() => data.value?.plan ?? null),
    /** Number of pages that need not be sent because they are already parsed the same way. */
    reusedPages: computed(() => data.value?.reusedPages ?? 0),
    failure,
  }
}
