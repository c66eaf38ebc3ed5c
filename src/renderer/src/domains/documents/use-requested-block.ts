import { computed, nextTick, watch } from 'vue'
import { useRoute } from 'vue-router'
import type { Block } from '../../../../shared/model/document.ts'
import { useClient } from '../../lib/bridge/use-client.ts'
import { useDocument } from './documents-store.ts'

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
