import { boxAround, heightOf, median } from '../geometry.ts'
import { joinAll } from './join.ts'
import type { Line } from './lines.ts'
import { listMark, type Paragraph } from './lists.ts'

/** Typical metrics of a region: line spacing, and where lines begin and end. */
interface Habit {
  readonly leading: number
  readonly left: number
  readonly right: number
}

function habitOf(lines: readonly Line[]): Habit {
  const steps = lines.slice(1).map((line, i) => line.box[3] - (lines[i]?.box[3] ?? 0))
  const [left, , right] = boxAround(lines.map(({ box }) => box))
  const heights = median(lines.map(({ box }) => heightOf(box)))
  return {
    leading: median(steps.filter((step) => step < 2.2 * heights)) || 1.3 * heights,
    left,
    right,
  }
}

const endsSentence = (text: string): boolean => /[.!?:;。！？：；]["'”’)）]?$/.test(text)

/**
 * Returns whether the first word of this line would have fit on the line above, which means that the author ended that
 * line.
 */
function hadRoom(above: Line, line: Line, right: number): boolean {
  const word = line.text.split(' ', 1)[0]?.length ?? 0
  const width = (word / Math.max(1, line.text.length)) * (line.box[2] - line.box[0])
  return right - above.box[2] > width + 1.5 * line.size
}

const hasLeader = (text: string): boolean => /(\.\s*){5,}\d*$/.test(text)

/** Returns whether a paragraph begins with this line. */
function begins(line: Line, above: Line, first: Line, habit: Habit): boolean {
  // Each entry of a table of contents is a line of its own.
  if (listMark(line.text) || hasLeader(above.text)) return true
  const sizes = line.size / above.size
  if (sizes > 1.12 || sizes < 0.89) return true
  if (line.bold !== above.bold && Math.min(line.text.length, above.text.length) > 3) return true
  const step = line.box[3] - above.box[3]
  if (step > 1.35 * Math.max(habit.leading, heightOf(line.box))) return true
  const indent = line.box[0] - habit.left
  const flush = above.box[0] - habit.left
  const item = listMark(first.text) !== undefined
  // Continuation lines of a list item align with its text; a line further left ends the list.
  if (item) return line.box[0] < first.box[0] - 0.5 * line.size
  if (indent > 0.8 * line.size && indent < 5 * line.size && flush < 0.4 * line.size)
    return endsSentence(above.text) || hadRoom(above, line, habit.right)
  return endsSentence(above.text) && hadRoom(above, line, habit.right)
}

function paragraphOf(lines: readonly Line[]): Paragraph {
  const texts = lines.map(({ text }) => text)
  const longest = lines.reduce((best, line) => (line.text.length > best.text.length ? line : best))
  return {
    lines,
    text: joinAll(texts),
    box: boxAround(lines.map(({ box }) => box)),
    size: longest.size,
    bold: lines.every(({ bold }) => bold),
  }
}

/** Groups the lines of a region into paragraphs by line spacing, indents, font sizes and weights. */
export function paragraphsOf(lines: readonly Line[]): Paragraph[] {
  if (lines.length === 0) return []
  const habit = habitOf(lines)
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const above = group?.at(-1)
    const first = group?.[0]
    if (group && above && first && !begins(line, above, first, habit)) group.push(line)
    else groups.push([line])
  }
  return groups.map(paragraphOf)
}
