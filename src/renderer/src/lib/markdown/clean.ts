import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { elementsOf, elementsOfStep, type Steps } from './render-steps.ts'

/** Allowed tags of a block: text, lists, tables. None that load, run, prompt, or affect anything outside the block. */
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
  // URLs are checked later and shown as text if refused; those that run as a program are dropped here.
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

/** Allowed column widths: pixels, em or percent, of up to four digits. */
const width = /^\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|%|pt)$/

/** The alignment and size declarations of a cell's style; empty if none remain. */
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

/** Sanitizes HTML to the allowed content of a block; the result belongs to a document that loads and runs nothing. */
type Cleaner = (html: string) => DocumentFragment

/** Creates a cleaner with its own hooks. */
export function createCleaner(view: Window & typeof globalThis): Cleaner {
  return purifierOf(view)
}

/**
 * Number of texts sanitized in one document. Its node iterators stay with it until garbage collection, and each node that leaves
 * it copies their list, which was 6% of the memory of a streamed answer with 64 texts.
 */
const textsOfDocument = 16

/**
 * Creates a cleaner for many small texts: it creates few documents, which cost more than their content. Returns null
 * for a text that it does not handle.
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

/** Sanitizes like a {@link Cleaner}, a few elements in each step. */
export type SteppingCleaner = (html: string) => Steps<DocumentFragment>

/** Elements that are sanitized in parts: any other is passed to the cleaner whole, however large it is. */
const divisible: ReadonlySet<unknown> = new Set(tags)
const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/**
 * Creates a cleaner that works in steps of at most `most` elements. Before elements are clean, it only accesses lists of their
 * children: forms, whose fields can shadow their properties, and other disallowed elements are never accessed.
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

  /** An element without its children, sanitized; null if nothing remains. */
  function shellOf(node: Node): Element | null {
    const { firstChild } = purify(node.cloneNode(false))
    return firstChild instanceof view.Element ? firstChild : null
  }
}

/** Forms can shadow their properties: then the check fails as well. */
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
