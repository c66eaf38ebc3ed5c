import type { SentBlock } from './layout-service.ts'

/** A block that is expensive to draw, and its label. */
export interface WorstBlock extends SentBlock {
  readonly name: string
}

const sentence =
  'The record of the meeting tells who said what, and where it stands in the document. '

/** The largest blocks that realistic documents contain. */
export const worstBlocks: readonly WorstBlock[] = [
  { name: '100,000 characters of text', label: 'text', content: sentence.repeat(1200) },
  { name: '1 MB of text', label: 'text', content: sentence.repeat(12_400) },
  {
    name: 'a table of 400 cells',
    label: 'table',
    content: rows(40, 10),
  },
  {
    name: 'a table of 2,000 cells',
    label: 'table',
    content: rows(200, 10),
  },
  {
    name: '300 formulas in a text',
    label: 'text',
    content: Array.from(
      { length: 300 },
      (_, at) => String.raw`Here $x_{${at}} = \frac{a_{${at}}^2 + b}{\sqrt{c + ${at}}}$ holds. `,
    ).join(''),
  },
  {
    name: 'a formula of 60 rows',
    label: 'formula',
    content: String.raw`\begin{aligned}${Array.from({ length: 60 }, (_, at) => String.raw`y_{${at}} &= \sum_{k=0}^{${at}} \frac{k^2}{k+1}`).join(String.raw` \\ `)}\end{aligned}`,
  },
  {
    name: 'a list of 1,000 lines',
    label: 'text',
    content: Array.from({ length: 1000 }, (_, at) => `- item *${at}* of the list`).join('\n'),
  },
]

function rows(count: number, wide: number): string {
  const cell = (row: number, column: number): string => `<td>cell ${row} of ${column}</td>`
  const row = (at: number): string =>
    `<tr>${Array.from({ length: wide }, (_, column) => cell(at, column)).join('')}</tr>`
  return `<table>${Array.from({ length: count }, (_, at) => row(at)).join('')}</table>`
}
