import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { DocumentPush } from '../../../../../shared/model/document-transfer.ts'
import { createLatest } from '../../../kit/use-latest.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Knowledge bases to which the text of the open document was added. */
export const usePushes = defineStore('pushes', () => {
  const client = useClient()
  const pushes = shallowRef<readonly DocumentPush[]>([])
  let id = ''
  const requests = createLatest()

  /** Latest push to each knowledge base: its current content. */
  const latest = computed(() =>
    pushes.value.filter(
      ({ baseId }, at) => pushes.value.findIndex((other) => other.baseId === baseId) === at,
    ),
  )
  const load = async (): Promise<void> => {
    const isLatest = requests.start()
    if (id === '') return
    const reply = await client.request('documents.pushes', { id })
    if (isLatest() && reply.ok) pushes.value = reply.data.pushes
  }
  const open = async (documentId: string): Promise<void> => {
    if (id !== documentId) pushes.value = []
    id = documentId
    await load()
  }
  const push = async (request: RequestOf<'documents.push'>): Promise<Failure | null> => {
    const reply = await client.request('documents.push', request)
    if (!reply.ok) return reply.error
    await load()
    return null
  }
  client.onEvent((event) => {
    if (event.type === 'document.pushes' && event.id === id) void load()
    if (event.type === 'runs.removed' && pushes.value.length > 0) void load()
    // An edit or another version may have changed the text.
    if (event.type === 'library.changed' && pushes.value.length > 0 && event.itemIds.includes(id))
      void load()
  })
  return { pushes, latest, open, push }
})
