/** Tags that content may have; everything else is text. */
export type Tag =
  | 'p'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'br'
  | 'hr'
  | 'blockquote'
  | 'pre'
  | 'code'
  | 'ul'
  | 'ol'
  | 'li'
  | 'table'
  | 'caption'
  | 'thead'
  | 'tbody'
  | 'tfoot'
  | 'tr'
  | 'th'
  | 'td'
  | 'div'
  | 'span'
  | 'b'
  | 'strong'
  | 'i'
  | 'em'
  | 'u'
  | 's'
  | 'del'
  | 'sub'
  | 'sup'
  | 'a'

/** Attributes that content may have. */
export interface Attributes {
  /** http, https or mailto. */
  readonly href?: string
  readonly align?: 'left' | 'center' | 'right'
  /** At least 1. */
  readonly colspan?: number
  /** At least 0: to the end of the table. */
  readonly rowspan?: number
  /** First number of an ordered list. */
  readonly start?: number
}

/** A tag with its content. */
export interface Element {
  readonly type: 'element'
  readonly tag: Tag
  readonly attributes: Attributes
  readonly children: readonly Node[]
}

/** A formula in LaTeX, without its delimiters. */
export interface Formula {
  readonly type: 'formula'
  readonly tex: string
  /** Whether it is on its own line. */
  readonly display: boolean
}

/** An image; `key` identifies its crop, null when no crop is available. */
export interface PageImage {
  readonly type: 'picture'
  readonly key: string | null
  readonly alt: string
}

/** Part of a block's content, sanitized: it contains no tag, attribute or URL that is not listed here. */
export type Node = { readonly type: 'text'; readonly text: string } | Element | Formula | PageImage

/** Tags that begin a new line in plain text. */
const ownLine = new Set<Tag>([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'br',
  'hr',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'table',
  'caption',
  'tr',
  'div',
])

/** Whether an element is on its own lines. */
export const isBlock = ({ tag }: Element): boolean => tag !== 'br' && ownLine.has(tag)

/**
 * Returns the text of nodes: a line for each block, a row with tabs for the cells of a table, formulas as their LaTeX.
 */
export function plainText(nodes: readonly Node[]): string {
  const parts: string[] = []
  collect(nodes, parts)
  return parts
    .join('')
    .replace(/[^\S\n\t]+\n/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .replace(/^[ \n]+|[ \n]+$/g, '')
}

function collect(nodes: readonly Node[], parts: string[]): void {
  for (const node of nodes) {
    if (node.type === 'text') parts.push(node.text)
    else if (node.type === 'formula') parts.push(node.display ? `\n${node.tex}\n` : node.tex)
    else if (node.type === 'picture') parts.push(node.alt)
    else if (node.tag === 'tr') parts.push(`\n${node.children.map(cellText).join('\t')}\n`)
    else {
      const edge = ownLine.has(node.tag) ? '\n' : ''
      parts.push(edge)
      collect(node.children, parts)
      parts.push(edge)
    }
  }
}

const cellText = (node: Node): string =>
  plainText(node.type === 'element' ? node.children : [node]).replace(/\s+/g, ' ')
