import { nextTick, ref, watch, type Ref } from 'vue'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { isTyping } from '../../../lib/platform.ts'
import { actionOfKey, type Action } from './message-actions.ts'
import type { Scroll } from './scroll.ts'

/** Dependencies of the keyboard handling on messages. */
interface RowsDeps {
  readonly messages: () => readonly ChatMessage[]
  readonly rows: Readonly<Ref<HTMLElement | null>>
  readonly scroll: () => Scroll | null
  readonly fixed: () => boolean
  readonly onAction: (action: Action, message: ChatMessage) => void
  readonly toBegin: () => Promise<void>
  readonly toEnd: () => Promise<void>
}

/** Fraction of the view by which one press scrolls inside a message that is taller than it. */
const stride = 0.4

/** Roving focus on the messages, and keyboard handling of the focused one. */
export function useRows(deps: RowsDeps) {
  const chosen = ref<string | null>(null)
  /** Returns the message that Tab reaches: the selected one, otherwise the last. */
  const current = (): string | null => {
    const all = deps.messages()
    return (all.find(({ id }) => id === chosen.value) ?? all.at(-1))?.id ?? null
  }
  const rowOf = (id: string | null): HTMLElement | null =>
    [...(deps.rows.value?.querySelectorAll<HTMLElement>('[data-message]') ?? [])].find(
      ({ dataset }) => dataset['message'] === id,
    ) ?? null

  const focus = (id: string | null, bring: boolean): void => {
    const row = rowOf(id)
    if (!row || id === null) return
    chosen.value = id
    row.focus({ preventScroll: true })
    if (bring) deps.scroll()?.go(id, 'near')
  }
  /** Moves to the previous or next message; scrolls through the hidden part of a tall one first. */
  const step = (by: 1 | -1, through: boolean): void => {
    const all = deps.messages()
    const at = all.findIndex(({ id }) => id === current())
    const scroll = deps.scroll()
    if (through && scroll && extendsBeyondView(all[at]?.id ?? null, by) && scroll.by(by * stride))
      return
    focus(all[at + by]?.id ?? null, true)
  }
  const extendsBeyondView = (id: string | null, by: 1 | -1): boolean => {
    const row = rowOf(id)?.getBoundingClientRect()
    const box = deps.rows.value?.parentElement?.getBoundingClientRect()
    if (!row || !box) return false
    return by > 0 ? row.bottom > box.bottom + 4 : row.top < box.top - 4
  }
  const toEdge = async (edge: 'begin' | 'end'): Promise<void> => {
    await (edge === 'begin' ? deps.toBegin() : deps.toEnd())
    await nextTick()
    const message = deps.messages().at(edge === 'begin' ? 0 : -1)
    focus(message?.id ?? null, false)
  }
  const isPlain = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
    !ctrlKey && !metaKey && !altKey

  const move = (event: KeyboardEvent): boolean => {
    const { key, target } = event
    if (key === 'ArrowDown') step(1, true)
    else if (key === 'ArrowUp') step(-1, true)
    else if (key === 'j') step(1, false)
    else if (key === 'k') step(-1, false)
    else if (key === 'Home') void toEdge('begin')
    else if (key === 'End') void toEdge('end')
    else if (key === 'PageDown' || (key === ' ' && !event.shiftKey)) deps.scroll()?.by(0.9)
    else if (key === 'PageUp' || key === ' ') deps.scroll()?.by(-0.9)
    else if (key === 'Enter' && target instanceof Element)
      target.querySelector<HTMLElement>('[role=toolbar] button:not(:disabled)')?.focus()
    else return false
    return true
  }
  /** Handles keys while a message itself has the focus; elements inside it handle their own. */
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event) || !isPlain(event)) return
    const row = event.target instanceof HTMLElement ? event.target : null
    const id = row?.dataset['message']
    const message = deps.messages().find((one) => one.id === id)
    if (!message) return
    const action = actionOfKey(event, message, deps.fixed())
    if (action) deps.onAction(action, message)
    else if (!move(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = (event: FocusEvent): void => {
    const row = event.target instanceof Element ? event.target.closest('[data-message]') : null
    if (row instanceof HTMLElement) chosen.value = row.dataset['message'] ?? null
  }
  // When a message is deleted, the focus moves to the one in its position, not to the page.
  watch(
    () => deps.messages(),
    async (now, before) => {
      const at = before.findIndex(({ id }) => id === chosen.value)
      const gone = at >= 0 && !now.some(({ id }) => id === chosen.value)
      if (!gone) return
      const hadFocus = rowOf(chosen.value)?.contains(document.activeElement) ?? false
      chosen.value = now[Math.min(at, now.length - 1)]?.id ?? null
      await nextTick()
      if (hadFocus) focus(chosen.value, false)
    },
  )
  return { current, focus, onKey, onFocus }
}
