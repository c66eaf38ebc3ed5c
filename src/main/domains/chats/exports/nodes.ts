import MarkdownIt from 'markdown-it'
import { referenceMarks } from '../../../../shared/chats/references.ts'
import { cleanText } from '../../../platform/export-files/clean.ts'
import { addressOf, htmlNodes } from '../../../platform/export-files/html-nodes.ts'
import type { Node } from '../../../platform/export-files/nodes.ts'
import { cutOpaque, type Opaque } from '../../../platform/export-files/opaque.ts'

/** Maximum length of text that is parsed as Markdown, in UTF-16 units; longer text is shown verbatim. */
const maxMarkdownLength = 2_000_000

const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false })
// Images are named, never fetched; their URLs may be any that a link may have.
markdown.validateLink = (address) => addressOf(address) !== null

/**
 * Parses a message into sanitized nodes: no tag, attribute or URL that exports do not list. Tags in the text are
 * escaped, images become links, and the citation of a source becomes a link to what `anchorOf` returns (null: its number
 * in brackets).
 */
export function messageNodes(
  text: string,
  anchorOf: (source: number) => string | null,
): readonly Node[] {
  const clean = cleanText(text)
  if (clean.length > maxMarkdownLength) return [element('pre', [{ type: 'text', text: clean }])]
  const opaque = cutOpaque(clean)
  const cited: number[] = []
  const marked = withCitations(opaque, cited)
  const nodes = htmlNodes(markdown.render(marked), (src, alt) => imageLink(src, alt))
  return filled(nodes, { ...opaque, cited, anchorOf }, false)
}

const element = (
  tag: 'pre' | 'sup' | 'a',
  children: readonly Node[],
  href?: string,
): Node & { readonly type: 'element' } => ({
  type: 'element',
  tag,
  attributes: href === undefined ? {} : { href },
  children,
})

function imageLink(src: string, alt: string): Node {
  const address = addressOf(src)
  const words: Node = { type: 'text', text: cleanText(alt === '' ? src : alt) }
  return address === null ? words : element('a', [words], address)
}

interface Filling extends Opaque {
  readonly cited: readonly number[]
  readonly anchorOf: (source: number) => string | null
}

/**
 * Replaces citations with numbers that continue those of the formulas: both use the same private character.
 */
function withCitations({ text, mark, fragments }: Opaque, cited: number[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, numbers } of referenceMarks(text)) {
    parts.push(text.slice(from, start))
    for (const number of numbers) {
      parts.push(`${mark}${fragments.length + cited.length}${mark}`)
      cited.push(number)
    }
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

/** Returns the nodes with formulas and citations inserted; inside code they are the original text. */
function filled(nodes: readonly Node[], filling: Filling, inCode: boolean): readonly Node[] {
  const { mark } = filling
  return nodes.flatMap((node): readonly Node[] => {
    if (node.type === 'element') {
      const code = inCode || node.tag === 'code' || node.tag === 'pre'
      const { href } = node.attributes
      const attributes =
        href === undefined
          ? node.attributes
          : { ...node.attributes, href: restoredAddress(href, filling) }
      return [{ ...node, attributes, children: filled(node.children, filling, code) }]
    }
    if (node.type !== 'text' || !node.text.includes(mark)) return [node]
    return node.text
      .split(new RegExp(`${mark}(\\d+)${mark}`))
      .flatMap((part, at): readonly Node[] => {
        if (at % 2 === 0) return part === '' ? [] : [{ type: 'text', text: part }]
        return [segmentNode(Number(part), filling, inCode)]
      })
  })
}

function segmentNode(at: number, filling: Filling, inCode: boolean): Node {
  const { fragments, cited, anchorOf } = filling
  const fragment = fragments[at]
  if (!fragment) {
    const number = cited[at - fragments.length] ?? 0
    const anchor = inCode ? null : anchorOf(number)
    const words: Node = { type: 'text', text: `[${number}]` }
    return anchor === null ? words : element('sup', [element('a', [words], anchor)])
  }
  if (inCode || fragment.node.type !== 'formula')
    return { type: 'text', text: cleanText(fragment.source) }
  return { ...fragment.node, tex: cleanText(fragment.node.tex) }
}

/** Restores a URL in which something resembled a formula. */
function restoredAddress(href: string, { mark, fragments }: Filling): string {
  const coded = encodeURIComponent(mark)
  if (!href.includes(coded)) return href
  const address = href.replace(new RegExp(`${coded}(\\d+)${coded}`, 'g'), (all, at: string) =>
    encodeURI(fragments[Number(at)]?.source ?? all),
  )
  return addressOf(address) ?? '#'
}
