import { computed, ref, shallowRef, watch } from 'vue'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { RemoteItemVersion } from '../../../../../shared/model/remote-item.ts'
import { differences } from '../runs/run-differences.ts'
import type { SavedRow, Which } from './remote-items-store.ts'

/** Source of the items to compare with. */
export interface Compared<R, O> {
  readonly rows: readonly R[]
  readonly opened: O | null
  readonly version: number | null
  peek(which: Which): Promise<Reply<O>>
}

/** Something to compare an item with: another snapshot of it, or another item. */
export interface Other {
  readonly key: string
  readonly which: Which
  /** Set for a snapshot of the same item. */
  readonly version: RemoteItemVersion | null
  readonly row: SavedRow
}

/** Compares an opened item with another snapshot of it, or with another item of the list; `version` is the shown snapshot. */
export function useCompare<R extends SavedRow, O>(about: {
  row(): R
  version(): number | null
  versions(): readonly RemoteItemVersion[]
  store(): Compared<R, O>
  content(opened: O): unknown
}) {
  const chosen = ref('')
  const other = shallowRef<O | null>(null)
  const others = computed<readonly Other[]>(() => {
    const row = about.row()
    const otherVersions = about.versions().filter(({ number }) => number !== about.version())
    return [
      ...otherVersions.map((version) => ({
        key: `reading ${version.number}`,
        which: { id: row.id, version: version.number },
        version,
        row,
      })),
      ...about
        .store()
        .rows.filter(({ id }) => id !== row.id)
        .map((one) => ({ key: one.id, which: { id: one.id }, version: null, row: one })),
    ]
  })
  watch(chosen, async (key) => {
    other.value = null
    const wanted = others.value.find((one) => one.key === key)
    if (!wanted) return
    const reply = await about.store().peek(wanted.which)
    if (reply.ok && chosen.value === key) other.value = reply.data
  })
  /** Null while nothing is selected for comparison. */
  const found = computed(() => {
    const { opened } = about.store()
    if (opened === null || other.value === null) return null
    return differences(about.content(opened), about.content(other.value))
  })
  return { chosen, others, found }
}
