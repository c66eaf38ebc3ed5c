import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import {
  highlightColors,
  type Highlight,
  type HighlightColor,
} from '../../../../../shared/model/highlight.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { createLatest } from '../../../kit/use-latest.ts'
import { useUndo } from '../../../kit/use-undo.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { highlightRequests, type Passage } from './passages.ts'

/** Key in the page’s storage of the color used last. */
const colorKey = 'lectern-highlight-color'

/** Highlights of the open document, in the order of its pages, and the selected one. */
export const useHighlights = defineStore('highlights', () => {
  const client = useClient()
  const toasts = useToasts()
  const offerUndo = useUndo()
  const documentId = ref('')
  const highlights = shallowRef<readonly Highlight[]>([])
  const chosenId = ref<string | null>(null)
  const saved = localStorage.getItem(colorKey)
  /** Color for the next highlight. */
  const color = ref<HighlightColor>(highlightColors.find((one) => one === saved) ?? 'yellow')
  const requests = createLatest()

  const byPage = computed(() => Map.groupBy(highlights.value, ({ page }) => page))
  const chosen = computed(() => highlights.value.find(({ id }) => id === chosenId.value) ?? null)

  const load = async (): Promise<void> => {
    const isLatest = requests.start()
    if (documentId.value === '') return
    const reply = await client.request('highlights.list', { documentId: documentId.value })
    if (isLatest() && reply.ok) highlights.value = reply.data.highlights
  }
  const open = async (id: string): Promise<void> => {
    if (documentId.value !== id) {
      highlights.value = []
      chosenId.value = null
    }
    documentId.value = id
    await load()
  }
  const settle = async <T>(asked: Promise<Reply<T>>): Promise<T | null> => {
    const reply = await asked
    if (!reply.ok) toasts.show('highlights.failed', { failure: reply.error })
    // Shown at once; the event about the change may be late.
    else await load()
    return reply.ok ? reply.data : null
  }
  const keepColor = (of: HighlightColor): void => {
    color.value = of
    try {
      localStorage.setItem(colorKey, of)
    } catch {
      // Storage that is full or blocked: the next visit begins with yellow.
    }
  }
  /** Saves the parts of a selection in the color used last, or in another one from now on. Returns the first one. */
  const add = async (
    passages: readonly Passage[],
    of: HighlightColor = color.value,
  ): Promise<Highlight | null> => {
    if (passages.length === 0) return null
    keepColor(of)
    let first: Highlight | null = null
    for (const parts of highlightRequests(passages)) {
      const request = {
        documentId: documentId.value,
        highlights: parts.map(({ page, boxes, quote }) => ({
          page,
          boxes: boxes.map(([left, top, right, bottom]): [number, number, number, number] => [
            left,
            top,
            right,
            bottom,
          ]),
          quote,
          color: of,
        })),
      }
      const added = await settle(client.request('highlights.add', request))
      if (!added) break
      first ??= added.highlights[0] ?? null
    }
    return first
  }
  const recolor = async (id: string, of: HighlightColor): Promise<void> => {
    keepColor(of)
    await settle(client.request('highlights.change', { id, color: of }))
  }
  /** Notes that could not be saved, by highlight. */
  const unsavedNotes = new Map<string, string>()
  const saveNote = async (id: string, note: string): Promise<void> => {
    unsavedNotes.set(id, note)
    const changed = await settle(client.request('highlights.change', { id, note }))
    if (changed && unsavedNotes.get(id) === note) unsavedNotes.delete(id)
  }
  const remove = async (id: string): Promise<void> => {
    const ids = [id]
    if (!(await settle(client.request('highlights.remove', { ids })))) return
    offerUndo('highlights.removed', ids, () =>
      settle(client.request('highlights.restore', { ids })),
    )
  }

  client.onEvent((event) => {
    if (event.type === 'document.highlights' && event.id === documentId.value) void load()
    if (event.type === 'library.changed' && event.itemIds.length === 0) void load()
  })
  client.onReopen(() => void load())
  return {
    highlights,
    byPage,
    chosenId,
    chosen,
    open,
    add,
    recolor,
    /** Returns the text of a note, saved or not. */
    noteOf: ({ id, note }: Highlight): string => unsavedNotes.get(id) ?? note,
    saveNote,
    remove,
  }
})
