import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Source } from '../../../../../shared/chats/sources.ts'
import type { Block, DocumentItem } from '../../../../../shared/model/document.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import type { PageSource } from '../pages/page-source.ts'
import { findLights, type Lights } from './find-highlights.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Milliseconds to wait for the file before its text layer is skipped. */
const patienceMs = 4000

/** Places of a source in a document of the Library, searched again for each source; `ready` is false meanwhile. */
export function useLights(
  source: () => Source,
  document: () => DocumentItem,
  /** Source from which the pages are rendered, once the file is open. */
  pages: () => PageSource | null,
) {
  const client = useClient()
  const lights = shallowRef<Lights | null>(null)
  const ready = ref(false)
  const held = new Map<string, Promise<readonly Block[]>>()
  const latest = createLatest()

  const blocksOf = (id: string, first: number, last: number): Promise<readonly Block[]> => {
    const key = `${id} ${first} ${last}`
    const known = held.get(key)
    if (known) return known
    const request = client
      .request('documents.pages', { id, first, last })
      .then((reply) => (reply.ok ? reply.data.blocks : []))
    held.set(key, request)
    return request
  }
  const opened = async (): Promise<PageSource | null> => {
    const until = Date.now() + patienceMs
    while (pages() === null && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50))
    return pages()
  }
  const find = async (): Promise<void> => {
    const isLatest = latest.start()
    const { id, facts } = document()
    ready.value = false
    const found = await findLights(source(), {
      pages: facts?.pages ?? 0,
      blocks: (first, last) => blocksOf(id, first, last),
      async find(query) {
        const reply = await client.request('documents.find', { id, query, from: 1 })
        return reply.ok ? reply.data.hits.map(({ page }) => page) : []
      },
      aspect(page) {
        const size = facts?.sizes[page - 1]
        return size && size.width > 0 && size.height > 0 ? size.width / size.height : null
      },
      async words(page) {
        const read = (await opened())?.words?.(page)
        return read ? read.catch(() => null) : null
      },
    })
    if (!isLatest()) return
    lights.value = found
    ready.value = true
  }
  watch([source, () => document().id], find, { immediate: true })
  // Its pages were parsed meanwhile, or parsed again.
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type !== 'document.pages' || event.id !== document().id) return
      held.clear()
      void find()
    }),
  )
  return { lights, ready }
}
