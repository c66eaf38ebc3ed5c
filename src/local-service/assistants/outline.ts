import { headingOf } from '../../shared/slicing/heading.ts'

/** An entry of an outline with what stands below it. */
export interface OutlineNode {
  readonly text: string
  readonly children: readonly OutlineNode[]
}

interface OpenNode {
  readonly text: string
  readonly children: OpenNode[]
}

/** An arrow between steps, as people type it; it begins with the first of its signs and nowhere else. */
const arrow = /(?<!-)-+>|(?<!=)=+>|[→⇒➔]/u

/** Deeper entries stand beside each other: nobody nests further, and a text made for it would. */
const deepest = 64

interface Line {
  readonly depth: number
  readonly text: string
}

interface Line {
  /** Level of a heading from 1; 0 for what stands below one. */
  readonly heading: number
  readonly depth: number
  readonly text: string
}

function lineOf(raw: string): Line {
  const heading = headingOf(raw)
  if (heading) return { heading: heading.level, depth: 0, text: heading.text }
  const indent = (/^\s*/.exec(raw)?.[0] ?? '').replaceAll('\t', '    ').length
  // `1.2.` stands below `1.` without any indentation.
  const numbered = /^\s*(\d+(?:\.\d+)+)\.?\s+(.*)$/s.exec(raw)
  if (numbered) {
    const dots = (numbered[1] ?? '').split('.').length - 1
    return { heading: 0, depth: indent + 1 + dots * 2, text: numbered[2] ?? '' }
  }
  const [, mark = '', text = ''] =
    /^\s*((?:[-*+•·]\s+|\(?(?:\d{1,3}|[a-z])[.)、]\s*|[一二三四五六七八九十]+、\s*)?)(.*)$/isu.exec(
      raw,
    ) ?? []
  return { heading: 0, depth: indent + (mark === '' ? 0 : 1), text: text.trim() }
}

/** An outline from headings, indented lines, bullets and numbers; arrows make one entry per step. Each entry's text is trimmed and not empty. */
export function outlineOf(text: string): readonly OutlineNode[] {
  const roots: OpenNode[] = []
  const open: { readonly line: Line; readonly node: OpenNode }[] = []
  const closes = (above: Line, next: Line): boolean => {
    if (next.heading > 0) return above.heading === 0 || above.heading >= next.heading
    return above.heading === 0 && above.depth >= next.depth
  }
  for (const raw of text.split('\n')) {
    const line = lineOf(raw)
    for (const step of line.text.split(arrow).map((part) => part.trim())) {
      if (step === '') continue
      for (let above = open.at(-1); above && closes(above.line, line); above = open.at(-1))
        open.pop()
      if (open.length === deepest) open.pop()
      const node: OpenNode = { text: step, children: [] }
      const parent = open.at(-1)?.node.children ?? roots
      parent.push(node)
      open.push({ line, node })
    }
  }
  return roots
}

/** All entries of an outline, top down. */
export const flattened = (nodes: readonly OutlineNode[]): readonly OutlineNode[] =>
  nodes.flatMap((node) => [node, ...flattened(node.children)])

/** What introduces an outline (`Please draw: `) and is none of it: a first line that ends in a colon and has others below it. */
export function withoutLeadIn(question: string): string {
  const [first = '', ...rest] = question.trim().split('\n')
  return /[:：]\s*$/.test(first) &&
    rest.some((line) => line.trim() !== '') &&
    !first.startsWith('#')
    ? rest.join('\n')
    : question.trim()
}
