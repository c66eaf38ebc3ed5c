import { onScopeDispose, ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'

/** Work of which only the latest counts: each start makes the work that was started before stale. */
export function createLatest() {
  let latest = 0
  /** Returns a function that tells whether nothing was started or cancelled since. */
  const current = () => {
    const mine = latest
    return (): boolean => mine === latest
  }
  const cancel = (): void => {
    latest += 1
  }
  return {
    /** Starts work; returns a function that tells whether it is still the latest. */
    start() {
      cancel()
      return current()
    },
    current,
    /** Makes all work stale. */
    cancel,
  }
}

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
  const latest = createLatest()

  /** Sends a request; returns its reply, or null if it is no longer the latest. */
  const load = async (...args: Args): Promise<Reply<T> | null> => {
    const isLatest = latest.start()
    busy.value = true
    const reply = await send(...args)
    if (!isLatest()) return null
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) data.value = reply.data
    else if (!keep) data.value = null
    return reply
  }
  /** Forgets the data, and ignores the reply that is awaited. */
  const clear = (): void => {
    latest.cancel()
    busy.value = false
    data.value = null
    failure.value = null
  }
  onScopeDispose(latest.cancel)
  return { data, failure, busy, load, clear }
}
