import { flattened } from './outline.ts'
import type { OutlineNode } from './outline.ts'

/** A label inside quotes, where Mermaid interprets character codes. */
const label = (text: string): string =>
  text.replace(/["#;<>`]/g, (sign) => `#${sign.charCodeAt(0)};`)

/**
 * Returns a flowchart (Mermaid) of consecutive steps. An entry that is a question becomes a decision: its children are the
 * branches, labeled by the text before their colon, and every branch continues with the next step.
 */
export function flowchart(steps: readonly OutlineNode[]): string {
  const lines: string[] = ['flowchart TD']
  let last = 0
  const draw = ({ text }: OutlineNode): string => {
    const id = `n${++last}`
    const asks = /[?？]\s*$/.test(text)
    lines.push(`  ${id}${asks ? '{' : '['}"${label(text)}"${asks ? '}' : ']'}`)
    return id
  }
  const link = (from: string, to: string, name = ''): void =>
    void lines.push(`  ${from} -->${name ? `|"${label(name)}"|` : ''} ${to}`)

  /** Draws the steps after the open ends and returns the new open ends. */
  const chain = (nodes: readonly OutlineNode[], begin: readonly End[]): readonly End[] => {
    let ends = begin
    for (const node of nodes) {
      const id = draw(node)
      for (const end of ends) link(end.id, id, end.name)
      if (/[?？]\s*$/.test(node.text) && node.children.length > 0)
        ends = node.children.flatMap((branch) => {
          const [, name = '', rest = ''] = /^([^:：]{1,30})[:：]\s*(.+)$/u.exec(branch.text) ?? []
          return name === ''
            ? chain([branch], [{ id, name: '' }])
            : chain([{ ...branch, text: rest }], [{ id, name }])
        })
      else ends = chain(node.children, [{ id, name: '' }])
    }
    return ends
  }
  chain(steps, [])
  return lines.join('\n')
}

interface End {
  readonly id: string
  readonly name: string
}

/** Returns a mind map (Mermaid). Several roots are placed below one with the given name. */
export function mindMap(nodes: readonly OutlineNode[], name: string): string {
  const root = nodes.length === 1 ? nodes[0] : { text: name, children: nodes }
  const lines = ['mindmap']
  let last = 0
  const draw = ({ text, children }: OutlineNode, depth: number): void => {
    lines.push(`${'  '.repeat(depth)}n${++last}["${label(text)}"]`)
    for (const child of children) draw(child, depth + 1)
  }
  if (root) draw(root, 1)
  return lines.join('\n')
}

/** Whether the nodes form an outline: at least two entries. */
export const isOutline = (nodes: readonly OutlineNode[]): boolean => flattened(nodes).length >= 2
