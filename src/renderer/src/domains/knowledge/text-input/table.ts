import { parseCsv, parseJsonLines, splitMarkdown, splitText, type SplitMethod } from './split.ts'

/** Available text of a file. */
export interface TextTable {
  readonly kind: 'text' | 'markdown' | 'csv' | 'jsonl'
  /** Columns or fields that contain text, the one with the longest texts first; none for plain text and Markdown. */
  readonly fields: readonly string[]
  /** Number of lines that could not be read. */
  readonly broken: number
}

/** A file that was read: its columns or fields, and its rows for a choice. */
export interface ReadTable extends TextTable {
  rows(choice: TextChoice): readonly string[]
}

/** Selection of a file's texts for the rows. */
export interface TextChoice {
  readonly way: SplitMethod
  /** For csv and jsonl. */
  readonly field: string
  /** Whether the first row of csv contains the column names. */
  readonly header: boolean
}

/** Parses a file by its extension: csv and tsv, jsonl, ndjson and json, md, anything else as plain text. */
export function readTable(name: string, text: string): ReadTable {
  if (/\.(csv|tsv)$/i.test(name)) return csvTable(text)
  if (/\.(jsonl|ndjson|json)$/i.test(name)) return jsonTable(text)
  const markdown = /\.(md|markdown)$/i.test(name)
  return {
    kind: markdown ? 'markdown' : 'text',
    fields: [],
    broken: 0,
    rows: ({ way }) =>
      markdown && way === 'paragraphs' ? splitMarkdown(text) : splitText(text, way),
  }
}

function csvTable(text: string): ReadTable {
  const rows = parseCsv(text)
  const width = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const names = Array.from({ length: width }, (_, at) => {
    const own = rows[0]?.[at]?.trim() ?? ''
    return own === '' ? `#${at + 1}` : own
  }).map((name, at, all) => (all.indexOf(name) === at ? name : `${name} (${at + 1})`))
  const lengths = names.map((_, at) =>
    rows.slice(1, 200).reduce((sum, row) => sum + (row[at]?.length ?? 0), 0),
  )
  return {
    kind: 'csv',
    fields: names
      .map((name, at) => ({ name, length: lengths[at] ?? 0 }))
      .toSorted((a, b) => b.length - a.length)
      .map(({ name }) => name),
    broken: 0,
    rows({ field, header }) {
      const at = names.indexOf(field)
      return texts(rows.slice(header ? 1 : 0).map((row) => row[at]))
    },
  }
}

function jsonTable(text: string): ReadTable {
  const { records, broken } = parseJsonLines(text)
  const lengths = new Map<string, number>()
  for (const record of records.slice(0, 200))
    for (const [name, value] of Object.entries(record))
      if (typeof value === 'string') lengths.set(name, (lengths.get(name) ?? 0) + value.length)
  return {
    kind: 'jsonl',
    fields: [...lengths].toSorted((a, b) => b[1] - a[1]).map(([name]) => name),
    broken,
    rows: ({ field }) => texts(records.map((record) => record[field])),
  }
}

const texts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => {
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' ? [] : [text]
  })
