/** Method of splitting a text into rows. */
export type SplitMethod = 'lines' | 'paragraphs'

/** Rows of a text: its lines, or the parts between empty lines; trimmed, without empty ones. */
export function splitText(text: string, way: SplitMethod): readonly string[] {
  const normal = text.replace(/\r\n?/g, '\n')
  const parts = way === 'lines' ? normal.split('\n') : normal.split(/\n[^\S\n]*\n/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Paragraphs of Markdown: fenced code stays whole with its empty lines, and a heading stays with the text after it. */
export function splitMarkdown(text: string): readonly string[] {
  const parts: string[] = []
  let current: string[] = []
  let fence: string | null = null
  const close = (): void => {
    const joined = current.join('\n').trim()
    if (joined !== '') parts.push(joined)
    current = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      current.push(line)
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    if (mark) fence = mark
    const onlyHeading = current.length > 0 && current.every((each) => /^ {0,3}#{1,6}\s/.test(each))
    if (line.trim() === '') {
      if (!onlyHeading) close()
      continue
    }
    if (/^ {0,3}#{1,6}\s/.test(line) && !onlyHeading) close()
    current.push(line)
  }
  close()
  return parts
}

/** Separators of csv; the most frequent one in the first row outside quotes is used. */
const separators = [',', ';', '\t', '|']

/** Parses csv rows (RFC 4180) with the separator of the file; quoted cells may contain line breaks. Empty rows are skipped. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let at = 0
  const endRow = (): void => {
    row.push(cell)
    cell = ''
    if (row.some((each) => each.trim() !== '')) rows.push(row)
    row = []
  }
  while (at < source.length) {
    const sign = source.charAt(at)
    if (sign === '"' && cell === '') {
      const [value, next] = quoted(source, at + 1)
      cell = value
      at = next
    } else if (sign === separator) {
      row.push(cell)
      cell = ''
      at += 1
    } else if (sign === '\n' || sign === '\r') {
      endRow()
      at += source.startsWith('\r\n', at) ? 2 : 1
    } else {
      // Up to the next special character at once.
      const end = nextSign(source, at, separator)
      cell += source.slice(at, end)
      at = end
    }
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

function quoted(source: string, from: number): readonly [value: string, next: number] {
  let value = ''
  let at = from
  for (;;) {
    const end = source.indexOf('"', at)
    if (end === -1) return [value + source.slice(at), source.length]
    value += source.slice(at, end)
    if (source.charAt(end + 1) !== '"') return [value, end + 1]
    value += '"'
    at = end + 2
  }
}

function nextSign(source: string, from: number, separator: string): number {
  let at = from
  while (at < source.length) {
    const sign = source.charAt(at)
    if (sign === separator || sign === '\n' || sign === '\r') return at
    at += 1
  }
  return at
}

function separatorOf(source: string): string {
  const counts = new Map(separators.map((each) => [each, 0]))
  let inside = false
  for (const sign of source.slice(0, 20_000)) {
    if (sign === '"') inside = !inside
    else if (!inside && sign === '\n') break
    else if (!inside && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return separators.reduce((best, each) =>
    (counts.get(each) ?? 0) > (counts.get(best) ?? 0) ? each : best,
  )
}

/**
 * Objects of jsonl, or of a JSON list; `broken` counts invalid lines. A line that is only a string becomes a field called `text`.
 */
export function parseJsonLines(text: string): {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly broken: number
} {
  const source = text.replace(/^\uFEFF/, '').trim()
  const records: Readonly<Record<string, unknown>>[] = []
  let broken = 0
  const take = (value: unknown): void => {
    if (typeof value === 'string') records.push({ text: value })
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      records.push(value as Readonly<Record<string, unknown>>)
    else broken += 1
  }
  if (source.startsWith('['))
    try {
      const list: unknown = JSON.parse(source)
      if (Array.isArray(list)) {
        list.forEach(take)
        return { records, broken }
      }
    } catch {
      // Read line by line below.
    }
  for (const line of source.split(/\r?\n/))
    if (line.trim() !== '')
      try {
        take(JSON.parse(line))
      } catch {
        broken += 1
      }
  return { records, broken }
}
