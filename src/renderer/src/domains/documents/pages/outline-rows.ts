import type { OutlineEntry } from '../pdf/outline.ts'

/** Returns the visible entries when those in `open` are expanded, top to bottom. */
export function outlineRows(
  entries: readonly OutlineEntry[],
  open: ReadonlySet<string>,
): readonly OutlineEntry[] {
  return entries.flatMap((entry) => [
    entry,
    ...(open.has(entry.id) ? outlineRows(entry.children, open) : []),
  ])
}

/**
 * Returns the new focus of a tree (or the entry to expand) for a key; null when the tree does not handle the key.
 */
export function outlineStep(
  rows: readonly OutlineEntry[],
  open: ReadonlySet<string>,
  id: string,
  key: string,
): { readonly focus: string } | { readonly toggle: string } | null {
  const place = rows.findIndex((row) => row.id === id)
  const row = rows[place]
  if (!row) return null
  const to = (next: OutlineEntry | undefined) => ({ focus: next?.id ?? id })
  switch (key) {
    case 'ArrowDown':
      return to(rows[place + 1])
    case 'ArrowUp':
      return to(rows[place - 1])
    case 'Home':
      return to(rows[0])
    case 'End':
      return to(rows.at(-1))
    case 'ArrowRight':
      if (row.children.length === 0) return to(row)
      return open.has(id) ? to(row.children[0]) : { toggle: id }
    case 'ArrowLeft':
      if (open.has(id) && row.children.length > 0) return { toggle: id }
      return to(rows.find((other) => other.id === id.slice(0, Math.max(0, id.lastIndexOf('.')))))
    default:
      return null
  }
}
