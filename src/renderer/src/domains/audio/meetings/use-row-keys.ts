import type { Ref } from 'vue'
import type { Line } from '../../../../../shared/model/meeting.ts'
import { isCommand } from '../../../lib/platform.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { lineActionOf, rowOfKey } from './line-actions.ts'
import type { LineActions } from './use-line-actions.ts'
import type { Transcript } from './use-transcript.ts'

/** Shortcuts of the transcript's rows: moving, selecting, and actions for the focused line. */
export function useRowKeys(
  box: Ref<HTMLElement | null>,
  { rows, list, follow, active, indexOf, focusRow }: Transcript,
  acts: LineActions,
): (event: KeyboardEvent) => void {
  const workspace = useMeetingWorkspace()

  function move(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey) return false
    const page = Math.max(1, list.shown.value.to - list.shown.value.from - 9)
    const from = Math.max(-1, indexOf(active.value))
    const to = rowOfKey(event.key, from, rows.value.length, page)
    const row = to === null ? undefined : rows.value[to]
    if (to === null || !row) return false
    follow.pause()
    if (row.kind === 'line') workspace.select(row.key, event.shiftKey ? 'range' : 'one')
    void focusRow(to)
    return true
  }
  function runAction(event: KeyboardEvent, line: Line): boolean {
    const anchor = event.target instanceof HTMLElement ? event.target : null
    if (!anchor) return false
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      acts.openMenu('line', [line], anchor)
      return true
    }
    if (
      isCommand(event) &&
      event.key.toLowerCase() === 'c' &&
      getSelection()?.isCollapsed !== false
    ) {
      acts.act('copy', line, anchor)
      return true
    }
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (plain && /^[1-9]$/.test(event.key)) {
      acts.assignNth(line, Number(event.key) - 1)
      return true
    }
    const act = lineActionOf(event)
    if (act === null || event.repeat) return false
    acts.act(act, line, anchor)
    return true
  }
  function onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return
    const { target } = event
    // A button in a row handles Enter and space itself.
    if (target !== box.value && !(target instanceof HTMLElement && target.matches('[data-row]')))
      return
    const row = rows.value[indexOf(active.value)]
    const done =
      move(event) ||
      chooseAll(event) ||
      clear(event) ||
      (row?.kind === 'line' && target !== box.value && runAction(event, row.line))
    if (!done) return
    event.preventDefault()
    event.stopPropagation()
  }
  function chooseAll(event: KeyboardEvent): boolean {
    const [first, last] = [workspace.order[0], workspace.order.at(-1)]
    if (!isCommand(event) || event.key.toLowerCase() !== 'a' || !first || !last) return false
    workspace.select(first)
    workspace.select(last, 'range')
    return true
  }
  function clear(event: KeyboardEvent): boolean {
    if (event.key !== 'Escape' || workspace.selection.ids.size === 0) return false
    workspace.clear()
    return true
  }
  return onKey
}
