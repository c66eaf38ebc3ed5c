import type { Passage } from '../../../../../shared/slicing/types.ts'

/** A run of text as pdf.js gives it. */
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

/** Letters this much higher than usual make a heading, and of the first level; a heading is not longer than this. */
const headingTimes = 1.2
const firstLevelTimes = 1.6
const maxHeadingChars = 160
/** A gap of this many letter heights ends a paragraph. */
const gapTimes = 1.9

/** Passages of one page out of its text layer: lines joined to paragraphs, headings guessed by the height of their letters. */
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
    const isHeading = line.height > medianHeight * headingTimes && line.text.length <= maxHeadingChars
    const apart = last && Math.abs(last.y - line.y) > medianHeight * gapTimes
    if (apart || isHeading) end()
    paragraph.push(line)
    if (isHeading) end(line.height > medianHeight * firstLevelTimes ? 1 : 2)
  }
  end()
  return passages
}

/** Only the page is known of the place. */
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
