import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { BlockChange } from '../../../../../shared/contract/documents.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useDocument } from '../documents-store.ts'
import { nextPage, sharedPages } from './coverage.ts'
import { useVersions, type Comparison } from './document-versions-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Changes of the blocks of a page between two versions, and navigation from page to page. */
export function useComparison(comparison: () => Comparison) {
  const client = useClient()
  const document = useDocument()
  const versions = useVersions()
  const changes = shallowRef<readonly BlockChange[] | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Whether pages are being searched for a difference. */
  const seeking = ref(false)
  const latest = createLatest()

  const shared = computed(() =>
    sharedPages(versions.coverage, comparison().leftId, comparison().rightId),
  )
  const adjacentPage = (direction: 1 | -1): number | null =>
    nextPage(shared.value, comparison().page, direction)

  const read = (page: number) =>
    client.request('documents.compare', {
      id: document.id ?? '',
      page,
      leftId: comparison().leftId,
      rightId: comparison().rightId,
    })
  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    seeking.value = false
    const reply = await read(comparison().page)
    if (!isLatest()) return
    changes.value = reply.ok ? reply.data.changes : null
    failure.value = reply.ok ? null : reply.error
  }
  watch(comparison, load, { immediate: true })

  /** Goes to the adjacent page; false at the end. */
  const turnPage = (direction: 1 | -1): boolean => {
    const page = adjacentPage(direction)
    if (page !== null) versions.comparing = { ...comparison(), page }
    return page !== null
  }
  /** Goes to the next page with a difference; false if there is none. Going to another page cancels it. */
  const seek = async (direction: 1 | -1): Promise<boolean> => {
    const isLatest = latest.start()
    const compared = comparison()
    seeking.value = true
    let page = adjacentPage(direction)
    while (page !== null) {
      const reply = await read(page)
      if (!isLatest()) return true
      if (!reply.ok || reply.data.changes.some(({ kind }) => kind !== 'same')) break
      page = nextPage(shared.value, page, direction)
    }
    seeking.value = false
    if (page !== null) versions.comparing = { ...compared, page }
    return page !== null
  }
  onScopeDispose(latest.cancel)
  return { changes, failure, seeking, adjacentPage, load, turnPage, seek }
}
