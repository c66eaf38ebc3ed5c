import {
  AlignmentType,
  BuilderElement,
  HeadingLevel,
  Paragraph,
  TextRun,
  type ParagraphChild,
  type Table,
} from 'docx'
import { cleanText } from '../content/clean.ts'
import { isBlock, plainText, type Element, type Formula, type Node } from '../content/nodes.ts'
import { equationOf } from './equation.ts'
import { codeFont, numberingOf, type DocxParts, type Place } from './parts.ts'
import { runsOf, textRun } from './runs.ts'
import { tableBlocks } from './tables.ts'

const headings: Readonly<Record<string, keyof typeof HeadingLevel>> = {
  h1: 'HEADING_1',
  h2: 'HEADING_2',
  h3: 'HEADING_3',
  h4: 'HEADING_4',
  h5: 'HEADING_5',
  h6: 'HEADING_6',
}
/** Maximum depth of a list that Word numbers. */
const deepest = 8
/** Indentation of each level, in twentieths of a point. */
const indent = 720

/** Returns nodes as paragraphs and tables; inline content between blocks becomes a paragraph. */
export function blocksOf(
  nodes: readonly Node[],
  parts: DocxParts,
  place: Place,
): (Paragraph | Table)[] {
  const out: (Paragraph | Table)[] = []
  let inline: Node[] = []
  let { marker } = place
  const paragraph = (
    children: readonly ParagraphChild[],
    heading?: keyof typeof HeadingLevel,
  ): Paragraph => {
    const made = new Paragraph({
      children,
      ...paragraphStyle({ ...place, ...(marker && { marker }) }),
      ...(heading && { heading: HeadingLevel[heading] }),
    })
    marker = undefined
    return made
  }
  const flush = (): void => {
    const hasContent = inline.some((node) => node.type !== 'text' || node.text.trim() !== '')
    if (hasContent) out.push(paragraph(runsOf(trimmed(inline), parts, place.style)))
    inline = []
  }
  for (const node of nodes) {
    if (node.type === 'formula' && node.display) {
      flush()
      out.push(displayed(node, parts))
    } else if (node.type !== 'element' || !hasBlock(node)) inline.push(node)
    else {
      flush()
      const heading = headings[node.tag]
      if (heading) out.push(paragraph(runsOf(node.children, parts, place.style), heading))
      else if (node.tag === 'pre') out.push(paragraph(codeRuns(node)))
      else if (node.tag === 'hr') out.push(new Paragraph({ thematicBreak: true }))
      else {
        const inner = marker ? { ...place, marker } : withoutMarker(place)
        out.push(...elementBlocks(node, parts, inner))
        marker = undefined
      }
    }
  }
  flush()
  return out
}

const blockFiller =
  (parts: DocxParts) =>
  (nodes: readonly Node[], place: Place): (Paragraph | Table)[] =>
    blocksOf(nodes, parts, place)

function elementBlocks(node: Element, parts: DocxParts, place: Place): (Paragraph | Table)[] {
  const { tag, attributes, children } = node
  const align = attributes.align ?? place.align
  const here: Place = { ...place, ...(align && { align }) }
  if (tag === 'table') return tableBlocks(node, here, blockFiller(parts))
  if (tag === 'blockquote')
    return blocksOf(children, parts, {
      ...withoutMarker(here),
      level: Math.min(here.level + 1, deepest),
    })
  if (tag !== 'ul' && tag !== 'ol') return blocksOf(children, parts, here)
  const start = attributes.start ?? 1
  if (tag === 'ol') parts.lists += 1
  const marker =
    tag === 'ul' ? ('bullet' as const) : { reference: numberingOf(start), instance: parts.lists }
  const level = Math.min(here.level + 1, deepest)
  return children.flatMap((child) =>
    blocksOf(child.type === 'element' && child.tag === 'li' ? child.children : [child], parts, {
      ...here,
      level,
      marker,
    }),
  )
}

function withoutMarker({ marker: _marker, ...place }: Place): Place {
  return place
}

function paragraphStyle({ align, level, marker }: Place) {
  const alignment =
    align === undefined
      ? {}
      : {
          alignment:
            AlignmentType[align === 'left' ? 'LEFT' : align === 'right' ? 'RIGHT' : 'CENTER'],
        }
  if (marker === 'bullet') return { ...alignment, bullet: { level: Math.max(0, level - 1) } }
  if (marker) return { ...alignment, numbering: { ...marker, level: Math.max(0, level - 1) } }
  return level === 0 ? alignment : { ...alignment, indent: { left: level * indent } }
}

/** Returns a display formula; Word centers the content of `m:oMathPara`. */
function displayed({ tex }: Formula, parts: DocxParts): Paragraph {
  const equation = equationOf(tex, true)
  if (equation) {
    const made = new Paragraph({})
    made.addChildElement(new BuilderElement({ name: 'm:oMathPara', children: [equation] }))
    return made
  }
  parts.plainFormulas += 1
  return new Paragraph({ children: textRun(tex.replace(/\s*\n\s*/g, ' '), { font: codeFont }) })
}

function codeRuns(node: Element): TextRun[] {
  return cleanText(plainText(node.children))
    .split('\n')
    .map((text, at) => new TextRun({ text, font: codeFont, ...(at > 0 && { break: 1 }) }))
}

/** Whether a node cannot be inline. */
function hasBlock(node: Node): boolean {
  if (node.type === 'formula') return node.display
  if (node.type !== 'element') return false
  return isBlock(node) || node.tag === 'td' || node.tag === 'th' || node.children.some(hasBlock)
}

/** Removes spaces at both ends of a paragraph. */
function trimmed(nodes: readonly Node[]): readonly Node[] {
  return nodes.map((node, at): Node => {
    if (node.type !== 'text') return node
    const text = at === 0 ? node.text.trimStart() : node.text
    return { type: 'text', text: at === nodes.length - 1 ? text.trimEnd() : text }
  })
}
