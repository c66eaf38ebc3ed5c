import { onScopeDispose, shallowRef } from 'vue'
import type { Slicing } from '../../../../../../shared/model/knowledge.ts'
import type { Passage } from '../../../../../../shared/knowledge/slicing/types.ts'
import { readMedia } from '../../../../lib/bridge/read-media.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { openPdf } from '../../../documents/index.ts'
import type { ChosenSource } from '../add/sources.ts'
import { passagesOfPage } from './pdf-passages.ts'
import type { SliceAnswer, SliceOrder } from './slice-order.ts'

/** State of a document's chunks: being chunked, chunked, or why that is impossible here. */
type SlicePreview =
  | { readonly state: 'none' | 'cutting' | 'other' | 'large' }
  | { readonly state: 'cut'; readonly answer: SliceAnswer }

/** Maximum file size in bytes chunked here: more would take the page's memory. */
const maxBytes = 30 * 1024 * 1024
/** Maximum number of PDF pages read. */
const maxPages = 200

/**
 * Chunks documents in a worker when they or the rules change; parsed content of a file is cached while it is shown.
 */
export function useSlices() {
  const client = useClient()
  const preview = shallowRef<SlicePreview>({ state: 'none' })
  const ends = new AbortController()
  let worker: Worker | null = null
  let turn = 0
  let held: { readonly mediaId: string; readonly content: SliceOrder['content'] } | null = null

  const pagesOf = async ({ mediaId, bytes }: ChosenSource): Promise<readonly Passage[] | null> => {
    const opening = openPdf({
      url: client.mediaUrl(mediaId),
      bytes,
      password: async () => null,
      onLost: () => undefined,
    })
    try {
      const outcome = await opening.opened
      if (!outcome.ok) return null
      const { pdf } = outcome.open
      const passages: Passage[] = []
      for (let n = 1; n <= Math.min(pdf.numPages, maxPages) && !ends.signal.aborted; n++) {
        const page = await pdf.getPage(n)
        const { items } = await page.getTextContent()
        passages.push(...passagesOfPage(items, n))
        page.cleanup()
      }
      return passages
    } finally {
      opening.close()
    }
  }
  const contentOf = async (source: ChosenSource): Promise<SliceOrder['content'] | null> => {
    if (source.kind === 'pdf') {
      const passages = await pagesOf(source)
      return passages && { kind: 'pages', passages }
    }
    const bytes = await readMedia(client.mediaUrl(source.mediaId), 0, ends.signal)
    return bytes && { kind: textKind(source.name) ?? 'text', bytes }
  }
  const cut = (order: SliceOrder): Promise<SliceAnswer> => {
    worker ??= new Worker(new URL('./slices.worker.ts', import.meta.url), { type: 'module' })
    const { promise, resolve } = Promise.withResolvers<SliceAnswer>()
    worker.onmessage = ({ data }: MessageEvent<SliceAnswer>) => {
      if (data.id === order.id) resolve(data)
    }
    worker.onerror = () => resolve({ id: order.id, trouble: 'other' })
    worker.postMessage(order)
    return promise
  }
  const show = async (source: ChosenSource | null, slicing: Slicing): Promise<void> => {
    const mine = ++turn
    const put = (next: SlicePreview): void => {
      if (mine === turn) preview.value = next
    }
    if (!source) return put({ state: 'none' })
    if (source.kind !== 'pdf' && textKind(source.name) === null) return put({ state: 'other' })
    if (source.bytes > maxBytes) return put({ state: 'large' })
    put({ state: 'cutting' })
    const content = held?.mediaId === source.mediaId ? held.content : await contentOf(source)
    if (mine !== turn) return
    if (!content) return put({ state: 'cut', answer: { id: mine, trouble: 'other' } })
    held = { mediaId: source.mediaId, content }
    const { type, separators, sentenceSize } = slicing
    const rules = { type, separators, sentenceSize }
    const answer = await cut({ id: mine, name: source.name, content, rules })
    put({ state: 'cut', answer })
  }
  onScopeDispose(() => {
    turn += 1
    ends.abort()
    worker?.terminate()
  })
  return { preview, show }
}

/** Returns the type of a text file by its name; null for files that only the provider can parse. */
function textKind(name: string): 'markdown' | 'text' | 'sheet' | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ending === 'md' || ending === 'markdown') return 'markdown'
  if (ending === 'txt') return 'text'
  return ending === 'csv' || ending === 'tsv' ? 'sheet' : null
}
