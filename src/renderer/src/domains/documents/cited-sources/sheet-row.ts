/** A cell of a row, with the name of its column if known. */
interface NamedCell {
  readonly column: string
  readonly value: string
}

/** Maximum number of cells of one row. */
const maxCells = 500

/** Parses the cells of a sheet row from its passage: `column: value` by line, else values separated by tabs or bars. */
export function cellsOf(text: string): readonly NamedCell[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, maxCells)
  const named = lines.map((line): NamedCell => {
    const colon = line.search(/[:：]/)
    const column = colon > 0 && colon <= 120 ? line.slice(0, colon).trim() : ''
    return { column, value: column === '' ? line : line.slice(colon + 1).trim() }
  })
  if (named.some(({ column }) => column !== '')) return named
  return lines
    .flatMap((line) => line.split(/\t| \| |(?<=\S)\|(?=\S)/))
    .slice(0, maxCells)
    .map((value) => ({ column: '', value: value.trim() }))
}
