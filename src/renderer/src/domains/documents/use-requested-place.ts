import { nextTick, onMounted, watch, computed } from 'vue'
import { useRoute } from 'vue-router'
import { useDocument } from './documents-store.ts'
import type { Block } from '../../../../shared/model/document.ts'
import { useClient } from '../../lib/bridge/use-client.ts'

/** Goes once to the page of an answer's source named in the URL, after the last reading position was restored. */
export function useRequestedPage(go: (page: number) => void): void {
  const route = useRoute()
  const document = useDocument()
  const requestKey = (): string =>
    `${document.document?.id ?? ''} ${String(route.query['page'] ?? '')}`
  let gone = ''

  async function goThere(): Promise<void> {
    const wanted = requestKey()
    const page = Number(wanted.slice(wanted.indexOf(' ')))
    if (wanted === gone || !Number.isSafeInteger(page) || page < 1) return
    await nextTick()
    if (wanted !== requestKey()) return
    gone = wanted
    go(page)
  }
  onMounted(goThere)
  watch(requestKey, goThere)
}

/**
 * Shows the block of a search result named in the URL: its page is scrolled into view, and the block is highlighted once.
 */
export function useRequestedBlock(show: (block: Block) => void): void {
  const client = useClient()
  const route = useRoute()
  const document = useDocument()
  const requestedId = computed(() => String(route.query['block'] ?? ''))
  let shown = ''

  watch(
    [requestedId, () => document.changes, () => document.document?.id],
    async () => {
      if (requestedId.value === '' || requestedId.value === shown) return
      const { id } = document
      const blockId = requestedId.value
      if (id === null) return
      const reply = await client.request('documents.block', { id, blockId })
      // Another document or result was opened during the request.
      if (!reply.ok || id !== document.id || blockId !== requestedId.value || blockId === shown)
        return
      shown = blockId
      const { block } = reply.data
      document.need(block.page - 1, block.page + 1)
      await nextTick()
      show(block)
    },
    { immediate: true },
  )
}
