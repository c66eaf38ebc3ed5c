import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { elementsOf, elementsOfStep, type Steps } from './render-queue.ts'

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
  const allowed: string[] = []
  for (const declaration of style.split(';')) {
    const [name, value] = declaration.split(':', 2).map((part) => part.trim().toLowerCase())
    if (name === undefined || value === undefined) continue
    if (name === 'text-align' && /^(?:left|right|center|justify|start|end)$/.test(value))
      allowed.push(`text-align:${value}`)
    else if (name === 'width' && width.test(value)) allowed.push(`width:${value}`)
  }
  return allowed.join(';')
}

/** Takes HTML apart and leaves what a block may be made of; the result belongs to a document that loads and runs nothing. */
export type Cleaner = (html: string) => DocumentFragment

/** Builds a cleaner with hooks of its own. */
export function createCleaner(view: Window & typeof globalThis): Cleaner {
  return purifierOf(view)
}

/** Texts that are cleaned in one document. Its walks stay with it until memory is cleared, and each move of a node asks all of them. */
const textsOfDocument = 64

/**
 * Builds a cleaner of small texts, for where many of them come: it makes few documents, which cost more than what they hold. Null
 * for a text that it will not clean.
 */
export function createSmallCleaner(
  view: Window & typeof globalThis,
): (html: string) => DocumentFragment | null {
  const purify = hooked(view)
  purify.setConfig({ ...config, IN_PLACE: true })
  let inert = view.document.implementation.createHTMLDocument('')
  let texts = 0
  return (html) => {
    texts += 1
    if (texts % textsOfDocument === 0) inert = view.document.implementation.createHTMLDocument('')
    const box = inert.createElement('div')
    box.innerHTML = html
    try {
      purify.sanitize(box)
    } catch {
      return null
    }
    const fragment = inert.createDocumentFragment()
    fragment.append(...box.childNodes)
    return fragment
  }
}

/** Cleans as a {@link Cleaner} does, a few elements in each step. */
export type SteppingCleaner = (html: string) => Steps<DocumentFragment>

/** Elements that are taken apart: what is not named here goes to the cleaner whole, however large it is. */
const divisible: ReadonlySet<unknown> = new Set(tags)
const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/**
 * Builds a cleaner that works in steps of at most `most` elements. It looks at nothing but lists of children before they are
 * clean: forms, whose fields can stand for their properties, and whatever else is not allowed are never looked into.
 */
export function createSteppingCleaner(
  view: Window & typeof globalThis,
  maxElements = elementsOfStep,
): SteppingCleaner {
  const purify = purifierOf(view)
  return function* clean(html) {
    const inert = view.document.implementation.createHTMLDocument('')
    const parsed = new view.DOMParser().parseFromString(html, 'text/html')
    const body = view.Document.prototype.getElementsByTagName.call(parsed, 'body')[0]
    const cleaned = inert.createDocumentFragment()
    yield 0
    if (body) yield* cleanInto(body, cleaned)
    return cleaned

    function* cleanInto(from: Element, to: ParentNode): Steps {
      let group = inert.createDocumentFragment()
      let elements = 0
      const cleanGroup = (): void => {
        if (group.firstChild) to.append(purify(group))
        group = inert.createDocumentFragment()
        elements = 0
      }
      for (let child = from.firstChild; child; child = from.firstChild) {
        const own = elementsOf(child)
        if (elements > 0 && elements + own > maxElements) {
          cleanGroup()
          yield 0
        }
        const shell = own > maxElements && isDivisible(child) ? shellOf(child) : null
        if (!shell || !(child instanceof Element)) {
          group.append(child)
          elements += own
          continue
        }
        cleanGroup()
        to.append(shell)
        from.removeChild(child)
        yield* cleanInto(child, shell)
      }
      cleanGroup()
      yield 0
    }
  }

  /** An element without its children, cleaned; null when nothing of it stays. */
  function shellOf(node: Node): Element | null {
    const { firstChild } = purify(node.cloneNode(false))
    return firstChild instanceof view.Element ? firstChild : null
  }
}

/** Forms lie about their properties: then it is not one of ours either. */
const isDivisible = (node: Node): boolean =>
  node instanceof Element && node.namespaceURI === htmlNamespace && divisible.has(node.localName)

function purifierOf(view: Window & typeof globalThis): (dirty: string | Node) => DocumentFragment {
  const purify = hooked(view)
  return (dirty) => purify.sanitize(dirty, config) as unknown as DocumentFragment
}

function hooked(view: Window & typeof globalThis): DOMPurify {
  const purify = createDOMPurify(view)
  purify.addHook('uponSanitizeAttribute', (node, data) => {
    if (data.attrName !== 'style') return
    const isCell = node.nodeName === 'TD' || node.nodeName === 'TH'
    const style = isCell ? cellStyle(data.attrValue) : ''
    if (style === '') data.keepAttr = false
    else data.attrValue = style
  })
  return purify
}
