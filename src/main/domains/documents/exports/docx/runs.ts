import { ExternalHyperlink, ImageRun, TextRun, type ParagraphChild } from 'docx'
import { cleanText } from '../../../../platform/export-files/clean.ts'
import {
  plainText,
  type Element,
  type Formula,
  type Node,
  type PageImage,
} from '../../../../platform/export-files/nodes.ts'
import { equationOf } from './equation.ts'
import { codeFont, room, type DocxParts, type RunStyle } from './parts.ts'

const stylesByTag: Readonly<Record<string, RunStyle>> = {
  b: { bold: true },
  strong: { bold: true },
  th: { bold: true },
  i: { italics: true },
  em: { italics: true },
  u: { underline: {} },
  s: { strike: true },
  del: { strike: true },
  sub: { subScript: true },
  sup: { superScript: true },
  code: { font: codeFont },
}

/** Returns inline nodes as runs; formulas become equations where possible. */
export function runsOf(
  nodes: readonly Node[],
  parts: DocxParts,
  style: RunStyle = {},
): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    if (node.type === 'text') return textRun(node.text.replace(/\s*\n\s*/g, ' '), style)
    if (node.type === 'formula') return formulaRun(node, parts, style)
    if (node.type === 'picture') return imageRun(node, parts, style)
    return elementRuns(node, parts, style)
  })
}

function elementRuns(node: Element, parts: DocxParts, style: RunStyle): ParagraphChild[] {
  const { tag, attributes, children } = node
  if (tag === 'br') return [new TextRun({ break: 1 })]
  if (tag === 'pre')
    return textRun(plainText(children).replaceAll('\n', ' '), { ...style, font: codeFont })
  if (tag === 'a' && attributes.href !== undefined) {
    const runs = runsOf(children, parts, { ...style, style: 'Hyperlink' })
    return runs.length === 0
      ? []
      : [new ExternalHyperlink({ link: attributes.href, children: runs })]
  }
  const own = Object.hasOwn(stylesByTag, tag) ? stylesByTag[tag] : undefined
  return runsOf(children, parts, { ...style, ...own })
}

/** Returns text as one run; an empty list for empty text. */
export function textRun(text: string, style: RunStyle = {}): ParagraphChild[] {
  const clean = cleanText(text)
  return clean === '' ? [] : [new TextRun({ ...style, text: clean })]
}

/** Returns an inline formula as an equation, else as LaTeX text. */
function formulaRun({ tex }: Formula, parts: DocxParts, style: RunStyle): ParagraphChild[] {
  const equation = equationOf(tex, false)
  if (equation) return [equation]
  parts.plainFormulas += 1
  return textRun(tex, { ...style, font: codeFont })
}

/** Returns an image no larger than the page, in its own proportions; text where there is no crop. */
function imageRun({ key, alt }: PageImage, parts: DocxParts, style: RunStyle): ParagraphChild[] {
  const image = key === null ? undefined : parts.images.get(key)
  const words = cleanText(alt === '' ? parts.words.image(parts.page) : alt).slice(0, 1000)
  if (!image) return textRun(`[${words}]`, { ...style, italics: true })
  const scale = Math.min(1, room.width / image.width, room.height / image.height)
  parts.placed.push(image)
  return [
    new ImageRun({
      type: image.type,
      // The name is a placeholder for the bytes, which are written to the finished file.
      data: Buffer.from(`picture ${parts.placed.length - 1}`),
      transformation: {
        width: Math.max(1, Math.round(image.width * scale)),
        height: Math.max(1, Math.round(image.height * scale)),
      },
      altText: { name: words.slice(0, 100), description: words, title: '' },
    }),
  ]
}
