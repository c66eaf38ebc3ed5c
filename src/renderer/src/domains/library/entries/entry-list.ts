import { shallowRef, type ShallowRef } from 'vue'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { LibraryEntry } from '../../../../../shared/model/library-entry.ts'
import type { Client } from '../../../lib/bridge/client.ts'

/** Filters and order of the list. */
export type EntryFilter = Omit<RequestOf<'library.entries'>, 'cursor' | 'limit'>

/** All stored entries, loaded in pages and updated on changes. */
export interface EntryList {
  readonly entries: ShallowRef<readonly LibraryEntry[]>
  readonly state: ShallowRef<'idle' | 'loading' | 'ready' | 'failed'>
  readonly failure: ShallowRef<Failure | null>
  /** Whether there are more entries to load. */
  readonly open: ShallowRef<boolean>
  load(filter: EntryFilter): Promise<void>
  more(): Promise<void>
  /** Reloads the entries loaded so far after a change. */
  refresh(): Promise<void>
  /** Removes items immediately, before main has replied. */
  drop(ids: readonly string[]): void
}

const pageSize = 100
/** Maximum number of rows reloaded at once after a change; the rest loads again on scrolling. */
const maxReloads = 200

/** Creates the list on `library.entries`. */
export function createEntryList(client: Client): EntryList {
  const entries = shallowRef<readonly LibraryEntry[]>([])
  const state = shallowRef<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const open = shallowRef(false)
  let filter: EntryFilter = {}
  let next: string | null = null
  let turn = 0
  let loading = false

  async function read(limit: number): Promise<void> {
    const mine = ++turn
    const reply = await client.request('library.entries', { ...filter, limit })
    // Another filter was selected meanwhile.
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    entries.value = reply.data.entries
    next = reply.data.next
    open.value = next !== null
  }
  return {
    entries,
    state,
    failure,
    open,
    async load(wanted) {
      filter = wanted
      if (state.value === 'idle') state.value = 'loading'
      await read(pageSize)
    },
    async more() {
      if (next === null || loading) return
      loading = true
      const mine = turn
      const reply = await client.request('library.entries', {
        ...filter,
        cursor: next,
        limit: pageSize,
      })
      loading = false
      if (!reply.ok || mine !== turn) return
      entries.value = [...entries.value, ...reply.data.entries]
      next = reply.data.next
      open.value = next !== null
    },
    refresh: () =>
      state.value === 'idle'
        ? Promise.resolve()
        : read(Math.min(maxReloads, Math.max(pageSize, entries.value.length))),
    drop(ids) {
      const gone = new Set(ids)
      entries.value = entries.value.filter(({ id, item }) => !item || !gone.has(id))
    },
  }
}
