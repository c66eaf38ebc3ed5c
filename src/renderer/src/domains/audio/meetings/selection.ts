import type { Line } from '../../../../../shared/model/meeting.ts'

/** Selected lines, and the anchor of a range. */
interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

/** Empty selection. */
export const noSelection: Selection = { ids: new Set(), anchor: null }

/** How a click changes the selection: alone, with Ctrl or Cmd, with Shift. */
export type SelectionMode = 'one' | 'toggle' | 'range'

/** Returns the selection after a click on a line; `order` is the order of the lines. */
export function choose(
  before: Selection,
  order: readonly string[],
  id: string,
  mode: SelectionMode,
): Selection {
  if (mode === 'toggle') {
    const ids = new Set(before.ids)
    if (!ids.delete(id)) ids.add(id)
    return { ids, anchor: id }
  }
  const from = before.anchor === null ? -1 : order.indexOf(before.anchor)
  const to = order.indexOf(id)
  if (mode === 'one' || from < 0 || to < 0) return { ids: new Set([id]), anchor: id }
  return {
    ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)),
    anchor: before.anchor,
  }
}

/** Returns the selection without removed lines. */
export function preserveKnown(before: Selection, known: { has(id: string): boolean }): Selection {
  const ids = new Set([...before.ids].filter((id) => known.has(id)))
  if (ids.size === before.ids.size) return before
  const anchor = before.anchor !== null && known.has(before.anchor) ? before.anchor : null
  return { ids, anchor: anchor ?? [...ids][0] ?? null }
}

/**
 * Whether lines (in order of time) can be merged: of one channel or one speaker, with no other line of it between them.
 */
export function canMerge(lines: readonly Line[], chosen: readonly Line[]): boolean {
  const [first] = chosen
  const last = chosen.at(-1)
  if (!first || !last || chosen.length < 2) return false
  const ids = new Set(chosen.map(({ id }) => id))
  const sameChannel = chosen.every(({ channel }) => channel === first.channel)
  const sameSpeaker = chosen.every(({ speakerId }) => speakerId === first.speakerId)
  if (!sameChannel && !sameSpeaker) return false
  const from = lines.findIndex(({ id }) => id === first.id)
  const to = lines.findIndex(({ id }) => id === last.id)
  return lines
    .slice(from, to)
    .every(
      (line) =>
        ids.has(line.id) ||
        (sameChannel ? line.channel !== first.channel : line.speakerId !== first.speakerId),
    )
}
