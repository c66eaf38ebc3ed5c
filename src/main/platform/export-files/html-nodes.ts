import { Parser } from 'htmlparser2'
import { cleanText } from './clean.ts'
import type { Attributes, Element, Node, Tag } from './nodes.ts'

/** HTML tags by the tag they are mapped to. */
const allowedTags: Readonly<Record<string, Tag>> = {
  ...Object.fromEntries(
    (
      'p h1 h2 h3 h4 h5 h6 br hr blockquote pre code ul ol li table caption thead tbody tfoot tr th td ' +
      'div span b strong i em u s del sub sup a'
    )
      .split(' ')
      .map((tag) => [tag, tag as Tag]),
  ),
  ins: 'u',
  strike: 's',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
  center: 'div',
  dl: 'div',
  dt: 'div',
  dd: 'div',
}

/** Tags without meaning: only their content is used. */
const silent = new Set(
  'html body colgroup col small big font mark section article figure figcaption'.split(' '),
)

/** Maximum nesting that is parsed as markup; anything deeper is text. */
const deepest = 200

/** Creates the node for an image found in HTML. */
type ImageOf = (src: string, alt: string) => Node

interface Frame {
  readonly tag: Tag | null
  readonly attributes: Attributes
  /** Whether the closing tag is written as text, as the opening one was. */
  readonly spoken: boolean
  readonly children: Node[]
}

/** Parses HTML into nodes: listed tags and attributes are preserved, all other markup becomes text. */
export function htmlNodes(html: string, imageOf: ImageOf): readonly Node[] {
  const root: Frame = { tag: null, attributes: {}, spoken: false, children: [] }
  const stack: Frame[] = [root]
  let tooDeep = false
  const add = (node: Node): void => {
    const { children } = stack.at(-1) ?? root
    const last = children.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      children[children.length - 1] = { type: 'text', text: last.text + node.text }
    else children.push(node)
  }
  const say = (text: string): void => {
    if (text !== '') add({ type: 'text', text: cleanText(text) })
  }
  const parser = new Parser({
    onopentag(name, attributes, implied) {
      const tag = Object.hasOwn(allowedTags, name) ? (allowedTags[name] ?? null) : null
      const spoken = tag === null && !silent.has(name) && name !== 'img'
      if (name === 'img') add(imageOf(attributes['src'] ?? '', cleanText(attributes['alt'] ?? '')))
      if (spoken && !implied) say(html.slice(parser.startIndex, parser.endIndex + 1))
      stack.push({ tag, attributes: attributesOf(name, attributes), spoken, children: [] })
      if (stack.length <= deepest) return
      tooDeep = true
      parser.reset()
    },
    onclosetag(_name, implied) {
      const frame = stack.length > 1 ? stack.pop() : undefined
      if (!frame) return
      if (frame.tag === null) for (const child of frame.children) add(child)
      else add(elementOf(frame.tag, frame))
      if (frame.spoken && !implied) say(html.slice(parser.startIndex, parser.endIndex + 1))
    },
    ontext: say,
    onprocessinginstruction: (_name, text) => say(`<${text}>`),
  })
  parser.write(html)
  if (!tooDeep) parser.end()
  return tooDeep ? [{ type: 'text', text: cleanText(html) }] : root.children
}

/** Tags in which white space is only source formatting. */
const spaceless = new Set<Tag>(['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol'])

function elementOf(tag: Tag, { attributes, children }: Frame): Element {
  const content = spaceless.has(tag)
    ? children.filter((node) => node.type !== 'text' || node.text.trim() !== '')
    : children
  return { type: 'element', tag, attributes, children: content }
}

/** Returns the few supported attributes, each validated. */
function attributesOf(name: string, all: Readonly<Record<string, string>>): Attributes {
  const href = name === 'a' ? addressOf(all['href'] ?? '') : null
  const cell = name === 'td' || name === 'th'
  const align = /^(?:left|center|right)$/.exec(
    (all['align'] ?? /text-align\s*:\s*(\w+)/i.exec(all['style'] ?? '')?.[1] ?? '').toLowerCase(),
  )?.[0] as Attributes['align']
  const start = name === 'ol' ? wholeOf(all['start']) : null
  const colspan = cell ? wholeOf(all['colspan']) : null
  const rowspan = cell ? wholeOf(all['rowspan']) : null
  return {
    ...(href !== null && { href }),
    ...(name === 'center' ? { align: 'center' as const } : align && { align }),
    ...(start !== null && { start }),
    ...(colspan !== null && colspan > 1 && { colspan: Math.min(colspan, 1000) }),
    ...(rowspan !== null && rowspan !== 1 && { rowspan: Math.min(rowspan, 65_534) }),
  }
}

function wholeOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null
}

/** Returns a URL that is safe to click: of the web, or of mail. */
export function addressOf(text: string): string | null {
  const address = text.trim()
  const parsed = URL.canParse(address) ? new URL(address) : null
  if (!parsed || !['http:', 'https:', 'mailto:'].includes(parsed.protocol)) return null
  // A user name before an @ looks like the host, but is not.
  return parsed.username === '' && parsed.password === '' ? parsed.href : null
}
