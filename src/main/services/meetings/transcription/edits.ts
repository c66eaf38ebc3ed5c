/** Edit distance of two texts: characters to change, add or remove, in UTF-16 units. */
export function edits(a: string, b: string): number {
  if (a === b) return 0
  const row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let line = 0; line < a.length; line++) {
    let diagonal = row[0] ?? 0
    row[0] = line + 1
    for (let at = 1; at <= b.length; at++) {
      const above = row[at] ?? 0
      const changed = diagonal + (a.charCodeAt(line) === b.charCodeAt(at - 1) ? 0 : 1)
      row[at] = Math.min(changed, above + 1, (row[at - 1] ?? 0) + 1)
      diagonal = above
    }
  }
  return row.at(-1) ?? 0
}
