import { headingOf } from '../../shared/knowledge/slicing/heading.ts'

/** An entry of an outline with its children. */
export interface OutlineNode {
  readonly text: string
  readonly children: readonly OutlineNode[]
}

interface OpenNode {
  readonly text: string
  readonly children: OpenNode[]
}

/** A typed arrow between steps; it matches only from its first character. */
const arrow = /(?<!-)-+>|(?<!=)=+>|[→⇒➔]/u

/** Maximum depth; deeper entries become siblings: only a malicious text would nest further. */
const deepest = 64

interface Line {
  readonly depth: number
  readonly text: string
}

interface Line {
  /** Level of a heading from 1; 0 for other lines. */
  readonly heading: number
  readonly depth: number
  readonly text: string
}

function lineOf(raw: string): Line {
  const heading = headingOf(raw)
  if (heading) return { heading: heading.level, depth: 0, text: heading.text }
  const indent = (/^\s*/.exec(raw)?.[0] ?? '').replaceAll('\t', '    ').length
  // `1.2.` is a child of `1.` even without indentation.
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

/**
 * Builds an outline from headings, indented lines, bullets and numbers; arrows make one entry per step. Each entry's text is
 * trimmed and not empty.
 */
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

/** Removes the introduction of an outline (`Please draw: `): a first line that ends in a colon and has others below it. */
export function withoutLeadIn(question: string): string {
  const [first = '', ...rest] = question.trim().split('\n')
  return /[:：]\s*$/.test(first) &&
    rest.some((line) => line.trim() !== '') &&
    !first.startsWith('#')
    ? rest.join('\n')
    : question.trim()
}
