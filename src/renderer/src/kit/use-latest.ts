import { onScopeDispose, ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'

/**
 * Sends requests of which only the latest counts: the reply to an earlier one may arrive later, and is ignored. After a failure
 * there are no data, or with `keep` those of before.
 */
export function useLatest<T, Args extends readonly unknown[] = []>(
  send: (...args: Args) => Promise<Reply<T>>,
  { keep = false }: { readonly keep?: boolean } = {},
) {
  const data = shallowRef<T | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let latest = 0

  /** Sends a request; returns its reply, or null if it is no longer the latest. */
  const load = async (...args: Args): Promise<Reply<T> | null> => {
    const mine = ++latest
    busy.value = true
    const reply = await send(...args)
    if (mine !== latest) return null
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) data.value = reply.data
    else if (!keep) data.value = null
    return reply
  }
  /** Forgets the data, and ignores the reply that is awaited. */
  const clear = (): void => {
    latest += 1
    busy.value = false
    data.value = null
    failure.value = null
  }
  onScopeDispose(() => (latest += 1))
  return { data, failure, busy, load, clear }
}
