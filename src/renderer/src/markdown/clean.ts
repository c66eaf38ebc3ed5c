import createDOMPurify, { type Config } from 'dompurify'

/** What a block may be made of: text, lists, tables. Nothing that loads, runs, asks, or reaches out of its place. */
const tags = [
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'blockquote',
  'br',
  'caption',
  'center',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'mark',
  'ol',
  'p',
  'pre',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
  'var',
  'wbr',
]
const attributes = [
  'align',
  'alt',
  'colspan',
  'dir',
  'href',
  'lang',
  'rowspan',
  'scope',
  'span',
  'src',
  'start',
  'style',
  'valign',
]

const config: Config = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_SELF_CLOSE_IN_ATTR: false,
  // An address is judged afterwards and shown as text where it is refused; what runs as a program is dropped here already.
  ALLOWED_URI_REGEXP: /^(?!(?:javascript|vbscript|livescript|data:text|data:application):?)/i,
  KEEP_CONTENT: true,
  FORBID_CONTENTS: [
    'script',
    'style',
    'template',
    'noscript',
    'iframe',
    'noembed',
    'noframes',
    'svg',
    'math',
    'title',
    'head',
    'textarea',
    'select',
    'xmp',
    'plaintext',
    'object',
    'audio',
    'video',
  ],
  RETURN_DOM_FRAGMENT: true,
}

/** Lengths a column may be wide: pixels, em or percent, of up to four figures. */
const width = /^\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|%|pt)$/

/** Of a cell's style, what aligns and sizes it; empty when nothing of it stays. */
export function cellStyle(style: string): string {
  const kept: string[] = []
  for (const declaration of style.split(';')) {
    const [name, value] = declaration.split(':', 2).map((part) => part.trim().toLowerCase())
    if (name === undefined || value === undefined) continue
    if (name === 'text-align' && /^(?:left|right|center|justify|start|end)$/.test(value))
      kept.push(`text-align:${value}`)
    else if (name === 'width' && width.test(value)) kept.push(`width:${value}`)
  }
  return kept.join(';')
}

/** Takes HTML apart and leaves what a block may be made of; the result belongs to a document that loads and runs nothing. */
export type Cleaner = (html: string) => DocumentFragment

/** Builds a cleaner with hooks of its own. */
export function createCleaner(view: Window & typeof globalThis): Cleaner {
  const purify = createDOMPurify(view)
  purify.addHook('uponSanitizeAttribute', (node, data) => {
    if (data.attrName !== 'style') return
    const isCell = node.nodeName === 'TD' || node.nodeName === 'TH'
    const style = isCell ? cellStyle(data.attrValue) : ''
    if (style === '') data.keepAttr = false
    else data.attrValue = style
  })
  return (html) => purify.sanitize(html, config) as unknown as DocumentFragment
}
