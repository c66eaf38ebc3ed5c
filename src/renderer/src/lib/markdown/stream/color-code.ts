import type { Steps } from '../render-steps.ts'
import { codeKinds, type ColoredLine } from './code-kinds.ts'

/** Applies colors to code in the page, as its lines are highlighted. */
interface ColoredCode {
  readonly text: string
  /** Colors the next lines. */
  color(lines: readonly ColoredLine[]): Steps
}

/** Lines that are colored in one step. */
const linesOfStep = 8

/** Prepares code for coloring: its text is directly in it, or in parts of whole lines. */
export function coloredCode(code: HTMLElement): ColoredCode {
  const parts = [...code.querySelectorAll<HTMLElement>('.md-lines')]
  const hosts = parts.length > 0 ? parts : [code]
  const text = code.textContent
  let rest: Text | null = null
  /** The next text, in a single node. */
  const next = (): Text | null => {
    while ((rest === null || rest.length === 0) && hosts.length > 0) {
      rest?.remove()
      const host = hosts.shift()
      if (!host) break
      rest = new Text(host.textContent)
      host.replaceChildren(rest)
    }
    return rest
  }
  return {
    text,
    *color(lines) {
      for (const [at, line] of lines.entries()) {
        const node = next()
        if (!node) return
        const end = node.data.indexOf('\n')
        const length = end === -1 ? node.length : end + 1
        node.before(...coloredNodes(node.data.slice(0, length), line))
        node.deleteData(0, length)
        if (at % linesOfStep === linesOfStep - 1) yield line.length * linesOfStep
      }
    },
  }
}

function coloredNodes(line: string, colors: ColoredLine): (string | HTMLElement)[] {
  const nodes: (string | HTMLElement)[] = []
  let from = 0
  let plain = ''
  for (let at = 0; at + 1 < colors.length; at += 2) {
    const part = line.slice(from, from + (colors[at] ?? 0))
    from += part.length
    const kind = codeKinds[colors[at + 1] ?? 0] ?? ''
    if (kind === '' || part.trim() === '') {
      plain += part
      continue
    }
    if (plain !== '') nodes.push(plain)
    plain = ''
    const span = document.createElement('span')
    span.className = `tk-${kind}`
    span.textContent = part
    nodes.push(span)
  }
  plain += line.slice(from)
  if (plain !== '') nodes.push(plain)
  return nodes
}
