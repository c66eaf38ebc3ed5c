import { computed, onBeforeUnmount, onMounted, shallowRef, watch } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import type { Highlight, HighlightColor } from '../../../../../shared/model/highlight.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { plainBlock } from '../../../lib/markdown/plain-block.ts'
import type { Turn } from '../pages/page-source.ts'
import { plainPoint } from '../pages/rotated-box.ts'
import { useHighlights } from './highlights-store.ts'
import { blockPassages, linesInLayer, pagePassages, type Passage } from './passages.ts'

/** The two sides in which text can be selected. */
interface HighlightingOptions {
  readonly pages: () => HTMLElement | null
  readonly text: () => HTMLElement | null
  readonly turn: () => Turn
  readonly blocks: (page: number) => readonly Block[]
  /** Whether the document is read-only. */
  readonly fixed: () => boolean
  /** Scrolls the pages to a highlight. */
  readonly show: (highlight: Highlight) => void
}

/** What the bar is about: a selection, or the selected highlight. */
type Marked =
  | { readonly kind: 'selection'; readonly range: Range; readonly passages: readonly Passage[] }
  | { readonly kind: 'highlight'; readonly focused: boolean; readonly noting: boolean }

/** Milliseconds without a change after which a selection is complete. */
const restMs = 150

/** Adds highlights to selected text, and opens them for changes. */
export function useHighlighting(options: HighlightingOptions) {
  const store = useHighlights()
  const toasts = useToasts()
  const marked = shallowRef<Marked | null>(null)
  /** Element that had the focus before the bar. */
  let before: Element | null = null
  let isPressed = false
  let timer = 0

  const sheetOf = (page: number): HTMLElement | null =>
    options.pages()?.querySelector<HTMLElement>(`[data-page="${page}"]`) ?? null
  const passagesOf = (range: Range): readonly Passage[] | null => {
    const [pages, text] = [options.pages(), options.text()]
    const { commonAncestorContainer: inside } = range
    if (pages?.contains(inside)) return pagePassages(range, pages, options.turn())
    if (!text?.contains(inside)) return null
    return blockPassages(
      range,
      text,
      (id, page) => options.blocks(page).find((block) => block.id === id) ?? null,
      (block, words) => linesInLayer(sheetOf(block.page), options.turn(), block, words),
    )
  }
  /** Returns the selection in the pages or the text. */
  const selection = (): Extract<Marked, { kind: 'selection' }> | null => {
    const selected = window.getSelection()
    if (!selected || selected.isCollapsed || selected.rangeCount === 0) return null
    const range = selected.getRangeAt(0).cloneRange()
    const passages = passagesOf(range)
    return passages && { kind: 'selection', range, passages }
  }
  const look = (): void => {
    if (isPressed) return
    // A note that is being written has a selection of its own.
    if (document.activeElement instanceof HTMLTextAreaElement) return
    const now = selection()
    const shown = now && now.passages.length > 0 ? now : null
    if (shown) store.chosenId = null
    if (shown || marked.value?.kind === 'selection') marked.value = shown
  }
  const onSelection = (): void => {
    clearTimeout(timer)
    timer = window.setTimeout(look, restMs)
  }
  const onPress = (event: PointerEvent): void => {
    const { target } = event
    isPressed = true
    if (target instanceof Element && target.closest('[data-testid="highlight-bar"]')) return
    close(false)
  }
  const onRelease = (): void => {
    isPressed = false
    onSelection()
  }

  /** Closes the bar. The highlight stays selected, the note is saved. */
  const close = (back = true): void => {
    const had = marked.value
    marked.value = null
    if (!back || !had) return
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  }
  const open = (id: string, { focused = false, noting = false } = {}): void => {
    before = document.activeElement
    store.chosenId = id
    marked.value = { kind: 'highlight', focused, noting }
  }
  const add = async (passages: readonly Passage[], color?: HighlightColor) => {
    if (passages.length === 0) toasts.show('highlights.unmarkable')
    const added = await store.add(passages, color)
    if (!added) return null
    marked.value = null
    window.getSelection()?.removeAllRanges()
    return added
  }
  const chooseColor = async (color: HighlightColor): Promise<void> => {
    const now = marked.value
    if (now?.kind === 'selection') await add(now.passages, color)
    else if (store.chosenId !== null) await store.recolor(store.chosenId, color)
  }
  const writeNote = async (): Promise<void> => {
    const now = marked.value
    if (now?.kind !== 'selection') return
    const added = await add(now.passages)
    if (!added) return
    options.show(added)
    open(added.id, { noting: true })
  }
  /** Highlights the selection in the color used last, or a block. */
  const mark = async (block: Block | null): Promise<void> => {
    if (options.fixed()) return
    const now = selection()
    if (now) await add(now.passages)
    else if (block) await markBlock(block)
  }
  const markBlock = async (block: Block): Promise<Highlight | null> => {
    if (options.fixed()) return null
    const quote = plainBlock(block.edited ?? block.content)?.text ?? ''
    return add(block.box ? [{ page: block.page, boxes: [block.box], quote }] : [])
  }
  /** Opens the note on a block, which is highlighted if it is not yet. */
  const noteBlock = async (block: Block): Promise<void> => {
    const box = JSON.stringify([block.box])
    const known = store.byPage.get(block.page)?.find(({ boxes }) => JSON.stringify(boxes) === box)
    const highlight = known ?? (await markBlock(block))
    if (!highlight) return
    options.show(highlight)
    open(highlight.id, { noting: true })
  }
  const copy = async (): Promise<void> => {
    const now = marked.value
    const text =
      now?.kind === 'selection'
        ? now.passages.map(({ quote }) => quote).join('\n')
        : (store.chosen?.quote ?? '')
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    toasts.show(copied ? 'documentCopy.done' : 'documentCopy.failed')
    close()
  }
  const remove = async (id: string): Promise<void> => {
    if (options.fixed()) return
    if (id === store.chosenId) close()
    await store.remove(id)
  }

  /** Opens the highlight at a click on its page, before the block there is selected. */
  const onClick = (event: MouseEvent): void => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('button')) return
    if (window.getSelection()?.isCollapsed === false) return
    const sheet = target.closest<HTMLElement>('[data-page]')
    const rect = sheet?.getBoundingClientRect()
    if (!sheet || !rect) return
    const [x, y] = plainPoint(
      (event.clientX - rect.left) / rect.width,
      (event.clientY - rect.top) / rect.height,
      options.turn(),
    )
    const found = store.byPage
      .get(Number(sheet.dataset['page']))
      ?.findLast(({ boxes }) =>
        boxes.some(
          ([left, top, right, bottom]) => x >= left && x <= right && y >= top && y <= bottom,
        ),
      )
    if (!found) {
      store.chosenId = null
      return
    }
    event.stopPropagation()
    open(found.id)
  }
  /** Returns the position of the bar’s text on the screen; null while it is out of view. */
  const anchorOf = (now: Marked): DOMRect | null => {
    const pages = options.pages()
    const element =
      now.kind === 'highlight'
        ? pages?.querySelector(`[data-highlight="${CSS.escape(store.chosenId ?? '')}"]`)
        : now.range
    const view = now.kind === 'highlight' ? pages?.getBoundingClientRect() : null
    const rect = element?.getBoundingClientRect()
    if (!rect || rect.width + rect.height === 0) return null
    return view && (rect.bottom < view.top || rect.top > view.bottom) ? null : rect
  }

  // A highlight that was deleted elsewhere has no bar.
  watch(
    () => store.chosen,
    (chosen) => {
      if (!chosen && marked.value?.kind === 'highlight') marked.value = null
    },
  )
  onMounted(() => {
    document.addEventListener('selectionchange', onSelection)
    window.addEventListener('pointerdown', onPress, true)
    window.addEventListener('pointerup', onRelease, true)
    window.addEventListener('pointercancel', onRelease, true)
  })
  onBeforeUnmount(() => {
    clearTimeout(timer)
    document.removeEventListener('selectionchange', onSelection)
    window.removeEventListener('pointerdown', onPress, true)
    window.removeEventListener('pointerup', onRelease, true)
    window.removeEventListener('pointercancel', onRelease, true)
  })

  return {
    /** Properties of the bar; null while there is none. */
    bar: computed(() => {
      const now = marked.value
      if (!now) return null
      const highlight = now.kind === 'highlight' ? store.chosen : null
      if (now.kind === 'highlight' && !highlight) return null
      return {
        highlight,
        note: highlight ? store.noteOf(highlight) : '',
        anchor: () => anchorOf(now),
        fixed: options.fixed(),
        focused: now.kind === 'highlight' && now.focused,
        noting: now.kind === 'highlight' && now.noting,
      }
    }),
    open,
    close,
    chooseColor,
    writeNote,
    copy,
    remove,
    mark,
    markBlock,
    noteBlock,
    onClick,
  }
}
