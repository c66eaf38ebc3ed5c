import { shallowRef } from 'vue'

/**
 * Selected rows of a list, by their keys: Ctrl or Cmd and click for single rows, Shift and click or arrow keys for ranges,
 * Ctrl or Cmd and A for all, Escape for none. The handlers get the keys of all rows in their order.
 */
export function useSelection() {
  const selected = shallowRef<ReadonlySet<string>>(new Set())
  /** Where a range begins: the row that was last clicked, or selected alone. */
  let anchor = ''

  const clear = (): void => {
    if (selected.value.size > 0) selected.value = new Set()
  }
  function toggle(key: string): void {
    const next = new Set(selected.value)
    if (!next.delete(key)) next.add(key)
    selected.value = next
    anchor = key
  }
  /** Selects the rows from the anchor to this one. */
  function extend(order: readonly string[], key: string): void {
    const to = order.indexOf(key)
    const from = order.includes(anchor) ? order.indexOf(anchor) : to
    selected.value = new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1))
  }
  /** Returns whether a click on a row selects instead of opening it. */
  function click(event: MouseEvent, order: readonly string[], key: string): boolean {
    if (event.shiftKey) extend(order, key)
    else if (event.ctrlKey || event.metaKey) toggle(key)
    else {
      clear()
      anchor = key
      return false
    }
    return true
  }
  /** Handles a key on a focused row; returns the row to focus, or null if the key does something else. */
  function press(event: KeyboardEvent, order: readonly string[], key: string): string | null {
    const { ctrlKey, metaKey, altKey, shiftKey } = event
    const hasCommand = ctrlKey !== metaKey && !altKey
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (shiftKey && step !== undefined && !ctrlKey && !metaKey && !altKey) {
      const next = order[order.indexOf(key) + step]
      if (next === undefined) return key
      if (selected.value.size === 0) anchor = key
      extend(order, next)
      return next
    }
    if (hasCommand && !shiftKey && event.key.toLowerCase() === 'a') selected.value = new Set(order)
    else if (hasCommand && event.key === ' ') toggle(key)
    else if (event.key === 'Escape' && selected.value.size > 0) clear()
    else return null
    return key
  }
  return {
    selected,
    clear,
    click,
    press,
    /** Makes a row the beginning of ranges: the open one, if none was clicked. */
    begin: (key: string): void => void (anchor = key),
    /** Returns the rows that an action on a row applies to: all selected ones, if it is one of them. */
    withRow: (key: string): readonly string[] =>
      selected.value.has(key) ? [...selected.value] : [key],
    /** Rows that left the list cannot stay selected. */
    retain(order: readonly string[]): void {
      const there = new Set(order)
      const remaining = [...selected.value].filter((key) => there.has(key))
      if (remaining.length < selected.value.size) selected.value = new Set(remaining)
    },
  }
}

/** Selected rows of a list. */
export type Selection = ReturnType<typeof useSelection>
