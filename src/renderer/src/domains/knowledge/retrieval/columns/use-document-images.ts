import { onScopeDispose, shallowRef, watch } from 'vue'
import type { DocumentImage } from '../../../../../../shared/model/knowledge.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import type { Side } from './side.ts'
import { createLatest } from '../../../../kit/use-latest.ts'

/** Milliseconds to wait for a burst of images. */
const burstMs = 80

/** Images of the documents of the results, by document ID: the saved ones, extended as more are received. */
export function useDocumentImages(sides: () => readonly Side[]) {
  const client = useClient()
  const imagesByDocument = shallowRef<ReadonlyMap<string, readonly DocumentImage[]>>(new Map())
  const latest = createLatest()

  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    const wanted = sides().filter(({ found }) => (found?.length ?? 0) > 0)
    const replies = await Promise.all(
      wanted.map(({ runId, row }) => client.request('retrieval.images', { runId, at: row.at })),
    )
    if (!isLatest()) return
    imagesByDocument.value = new Map(
      replies.flatMap((reply) => (reply.ok ? Object.entries(reply.data.images) : [])),
    )
  }
  watch(
    () =>
      sides()
        .map(({ runId, row, found }) => `${runId} ${row.at} ${found?.length ?? ''}`)
        .join('\n'),
    load,
    { immediate: true },
  )
  let planned: ReturnType<typeof setTimeout> | undefined
  const isShown = (id: string): boolean =>
    sides().some(({ found }) => found?.some(({ documentId }) => documentId === id))
  onScopeDispose(() => clearTimeout(planned))
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type !== 'knowledge.images' || !isShown(event.documentId)) return
      clearTimeout(planned)
      planned = setTimeout(() => void load(), burstMs)
    }),
  )
  return imagesByDocument
}
