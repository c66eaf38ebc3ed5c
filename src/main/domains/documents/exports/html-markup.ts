import { escapeHtml } from '../../../platform/export-files/clean.ts'
import { mathMl } from './content/formula.ts'
import type {
  Attributes,
  Element,
  Formula,
  Node,
  PageImage,
} from '../../../platform/export-files/nodes.ts'
import { readImage } from './images.ts'
import type { ImageLoader } from './document-export-types.ts'

/** Counters collected while markup is written. */
export interface MarkupCounts {
  images: number
  plainFormulas: number
}

/** Source of the crops of markup, and its text where there is none. */
interface MarkupParts {
  /** Null if no images are wanted. */
  readonly images: ImageLoader | null
  readonly imageLabel: string
  readonly counts: MarkupCounts
}

/** Returns sanitized nodes as markup; images are data URIs, with one in memory at a time. */
export async function markupOf(nodes: readonly Node[], parts: MarkupParts): Promise<string> {
  const out: string[] = []
  for (const node of nodes) {
    if (node.type === 'text') out.push(escapeHtml(node.text))
    else if (node.type === 'formula') out.push(formula(node, parts.counts))
    else if (node.type === 'picture') out.push(await imageMarkup(node, parts))
    else out.push(await element(node, parts))
  }
  return out.join('')
}

async function element(node: Element, parts: MarkupParts): Promise<string> {
  const { tag, children } = node
  const open = openTag(node)
  if (tag === 'br' || tag === 'hr') return open
  const markup = `${open}${await markupOf(children, parts)}</${tag}>`
  return tag === 'table' ? `<div class="wide">${markup}</div>` : markup
}

/** Returns the opening tag of an element. */
export const openTag = ({ tag, attributes }: Element): string =>
  `<${tag}${attributesOf(attributes)}>`

function attributesOf({ href, align, colspan, rowspan, start }: Attributes): string {
  return [
    href !== undefined && ` href="${escapeHtml(href)}" rel="noopener noreferrer nofollow"`,
    align && ` class="${align}"`,
    colspan !== undefined && ` colspan="${colspan}"`,
    rowspan !== undefined && ` rowspan="${rowspan}"`,
    start !== undefined && ` start="${start}"`,
  ]
    .filter((one) => one !== false && one !== undefined)
    .join('')
}

function formula({ tex, display }: Formula, counts: MarkupCounts): string {
  const math = mathMl(tex, display)
  if (math !== null) return math
  counts.plainFormulas += 1
  return `<code class="tex">${escapeHtml(tex)}</code>`
}

async function imageMarkup({ key, alt }: PageImage, parts: MarkupParts): Promise<string> {
  const read = await readImage(parts.images, key)
  const words = alt === '' ? parts.imageLabel : alt
  if (!read) return `<span class="missing">[${escapeHtml(words)}]</span>`
  parts.counts.images += 1
  const type = read.type === 'png' ? 'png' : 'jpeg'
  const base64 = Buffer.from(read.bytes).toString('base64')
  return `<img alt="${escapeHtml(words)}" width="${read.width}" height="${read.height}" src="data:image/${type};base64,${base64}">`
}
