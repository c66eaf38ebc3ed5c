import type { Passage } from '../../../../../../shared/knowledge/slicing/types.ts'

/** A text run of pdf.js. */
interface TextRun {
  readonly str: string
  readonly height: number
  readonly hasEOL: boolean
  readonly transform: readonly number[]
}

interface TextLine {
  text: string
  height: number
  readonly y: number
}

/**
 * Letter heights, relative to the normal one, of a heading and of a first-level heading; a heading has a maximum length.
 */
const headingTimes = 1.2
const firstLevelTimes = 1.6
const maxHeadingChars = 160
/** Gap in letter heights that ends a paragraph. */
const gapTimes = 1.9

/**
 * Returns passages of one page from its text layer: lines joined to paragraphs, headings guessed by letter height.
 */
export function passagesOfPage(runs: readonly unknown[], page: number): readonly Passage[] {
  const lines = linesOf(runs.filter(isRun))
  const heights = lines.map(({ height }) => height).toSorted((a, b) => a - b)
  const medianHeight = heights[Math.floor(heights.length / 2)] ?? 0
  const passages: Passage[] = []
  let paragraph: TextLine[] = []
  const end = (level: number | null = null): void => {
    const text = paragraph.map((line) => line.text).join('\n')
    if (text.trim() !== '')
      passages.push({ text, level, places: [placeOn(page)], line: null, sheet: null })
    paragraph = []
  }
  for (const line of lines) {
    const last = paragraph.at(-1)
    const isHeading =
      line.height > medianHeight * headingTimes && line.text.length <= maxHeadingChars
    const apart = last && Math.abs(last.y - line.y) > medianHeight * gapTimes
    if (apart || isHeading) end()
    paragraph.push(line)
    if (isHeading) end(line.height > medianHeight * firstLevelTimes ? 1 : 2)
  }
  end()
  return passages
}

/** Returns a position of which only the page is known. */
const placeOn = (page: number): Passage['places'][number] => ({
  page,
  x0: 0,
  x1: 0,
  top: 0,
  bottom: 0,
  width: 0,
  height: 0,
})

const isRun = (value: unknown): value is TextRun =>
  typeof value === 'object' && value !== null && 'str' in value && 'transform' in value

function linesOf(runs: readonly TextRun[]): readonly TextLine[] {
  const lines: TextLine[] = []
  let line: TextLine | null = null
  for (const { str, height, hasEOL, transform } of runs) {
    line ??= { text: '', height: 0, y: transform[5] ?? 0 }
    line.text += str
    line.height = Math.max(line.height, height)
    if (!hasEOL) continue
    if (line.text.trim() !== '') lines.push(line)
    line = null
  }
  if (line && line.text.trim() !== '') lines.push(line)
  return lines
}
