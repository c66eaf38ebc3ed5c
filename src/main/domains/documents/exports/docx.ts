import {
  Document,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  AlignmentType,
  BuilderElement,
  TextRun,
  type ParagraphChild,
  TableCell,
  TableRow,
  WidthType,
} from 'docx'
import { strFromU8, unzipSync } from 'fflate'
import { beginsAt } from '../../../../shared/documents/table-grid.ts'
import { cleanText } from '../../../platform/export-files/clean.ts'
import {
  type Node,
  isBlock,
  plainText,
  type Element,
  type Formula,
} from '../../../platform/export-files/nodes.ts'
import { readBlocks, type ReadBlock } from './content/exported-pages.ts'
import { extentOf, tableOf, type ContentTable } from './content/tables.ts'
import { createBody } from './docx/body.ts'
import { equationOf } from './docx/equation.ts'
import {
  outside,
  textFont,
  type DocxParts,
  codeFont,
  numberingOf,
  type Place,
} from './docx/parts.ts'
import { textRun, runsOf } from './docx/runs.ts'
import { factLines, missingLine } from './export-facts.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import { readImage } from './images.ts'
import { documentLabels } from './labels.ts'
import type {
  DocumentOptions,
  ExportPage,
  ExportSource,
  ImageLoader,
} from './document-export-types.ts'
import { createZip, type ZipWriter } from '../../../platform/export-files/zip.ts'

/**
 * Writes a Word document with equations, merged cells and images. A page is written before the next is read, images one at a
 * time.
 */
export async function writeDocx(
  file: FileWriter,
  source: ExportSource,
  options: Pick<DocumentOptions, 'images' | 'pageMarks' | 'details'>,
  images: ImageLoader,
): Promise<{ readonly images: number; readonly plainFormulas: number }> {
  const parts: DocxParts = {
    words: documentLabels[source.language],
    page: 1,
    images: new Map(),
    placed: [],
    lists: 0,
    plainFormulas: 0,
  }
  const wanted = options.images === 'none' ? null : images
  const document = documentOf(source)
  const zip = createZip(file)
  const empty = unzipSync(await Packer.toBuffer(document))
  // Programs inspect the first entry to detect the type of an archive.
  const types = empty[typesName]
  if (types) await zip.add(typesName, types, 'deflated')
  const [before, after] = around(empty[bodyName])
  const text = await zip.text(bodyName)
  const body = createBody(document)
  await text.write(`${before}${body.xmlOf(head(source, options.details))}`)
  for await (const page of source.pages) {
    parts.page = page.page
    const blocks = readBlocks(page)
    await measure(blocks, parts, wanted)
    await text.write(body.xmlOf(pageBlocks(page, blocks, { source, options, parts })))
  }
  await text.write(after)
  await text.end()
  await writeRest(zip, await Packer.toBuffer(document), parts, wanted)
  return { images: parts.placed.length, plainFormulas: parts.plainFormulas }
}

const typesName = '[Content_Types].xml'
const bodyName = 'word/document.xml'
/** Placeholder for the document's text in the output of the library. */
const here = 'the text of the document'

/** Returns what the library writes before and after the text of a document. */
function around(body: Uint8Array | undefined): readonly [before: string, after: string] {
  const xml = body ? strFromU8(body) : ''
  const [before, after] = xml.split(new RegExp(`<w:p>(?:(?!<w:p>).)*${here}.*?</w:p>`, 's'))
  if (before === undefined || after === undefined) throw new Error('The document has no body')
  return [before, after]
}

function head(source: ExportSource, details: boolean): Paragraph[] {
  const facts = details ? factLines(source) : []
  return [
    new Paragraph({ text: cleanText(source.title), heading: HeadingLevel.TITLE }),
    ...facts.map((line) => new Paragraph({ children: textRun(line), style: 'Facts' })),
  ]
}

function pageBlocks(
  page: ExportPage,
  blocks: readonly ReadBlock[],
  {
    source,
    options,
    parts,
  }: {
    readonly source: ExportSource
    readonly options: Pick<DocumentOptions, 'pageMarks'>
    readonly parts: DocxParts
  },
): (Paragraph | Table)[] {
  const missing = missingLine(page, source)
  const small = (line: string): Paragraph =>
    new Paragraph({ children: textRun(line), style: 'Facts' })
  return [
    ...(options.pageMarks ? [small(parts.words.page(page.page))] : []),
    ...(missing === null ? [] : [small(missing)]),
    ...blocks.flatMap(({ nodes }) => blocksOf(nodes, parts, outside)),
  ]
}

/** Reads the sizes of a page's images one by one, without retaining their bytes. */
async function measure(
  blocks: readonly ReadBlock[],
  parts: DocxParts,
  images: ImageLoader | null,
): Promise<void> {
  for (const key of blocks.flatMap(({ nodes }) => imageKeys(nodes))) {
    if (parts.images.has(key)) continue
    const read = await readImage(images, key)
    if (read)
      parts.images.set(key, { key, type: read.type, width: read.width, height: read.height })
  }
}

function imageKeys(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'picture') return node.key === null ? [] : [node.key]
    return node.type === 'element' ? imageKeys(node.children) : []
  })
}

function documentOf(source: ExportSource): Document {
  return new Document({
    title: cleanText(source.title),
    creator: 'Lectern',
    styles: {
      default: {
        document: { run: { font: textFont, size: 22 }, paragraph: { spacing: { after: 120 } } },
      },
      paragraphStyles: [
        { id: 'Facts', name: 'Facts', basedOn: 'Normal', run: { color: '666666', size: 18 } },
      ],
    },
    sections: [{ children: [new Paragraph(here)] }],
  })
}

/** Copies everything but the text of a packed document, with the bytes of each image in place of its name. */
async function writeRest(
  zip: ZipWriter,
  packed: Buffer,
  parts: DocxParts,
  images: ImageLoader | null,
): Promise<void> {
  for (const [name, bytes] of Object.entries(unzipSync(packed))) {
    if (name === bodyName || name === typesName) continue
    const [, at] = name.startsWith('word/media/')
      ? (/^picture (\d+)$/.exec(strFromU8(bytes)) ?? [])
      : []
    const image = at === undefined ? undefined : parts.placed[Number(at)]
    if (!image) {
      await zip.add(name, bytes, 'deflated')
      continue
    }
    const read = await readImage(images, image.key)
    if (!read) throw new Error('An image was removed while the document was being written')
    await zip.add(name, read.bytes, 'stored')
  }
  await zip.finish()
}

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
function blocksOf(nodes: readonly Node[], parts: DocxParts, place: Place): (Paragraph | Table)[] {
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
  const inner: Place = { ...place, ...(align && { align }) }
  if (tag === 'table') return tableBlocks(node, inner, blockFiller(parts))
  if (tag === 'blockquote')
    return blocksOf(children, parts, {
      ...withoutMarker(inner),
      level: Math.min(inner.level + 1, deepest),
    })
  if (tag !== 'ul' && tag !== 'ol') return blocksOf(children, parts, inner)
  const start = attributes.start ?? 1
  if (tag === 'ol') parts.lists += 1
  const marker =
    tag === 'ul' ? ('bullet' as const) : { reference: numberingOf(start), instance: parts.lists }
  const level = Math.min(inner.level + 1, deepest)
  return children.flatMap((child) =>
    blocksOf(child.type === 'element' && child.tag === 'li' ? child.children : [child], parts, {
      ...inner,
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

/** Word's limits: columns of a table, and nesting of tables before they become text. */
const max = { columns: 63, nested: 4 } as const
/** Space between the margins, in twentieths of a point. */
const width = 9000

/** Creates the content of a cell. */
type FillCell = (nodes: readonly Node[], place: Place) => (Paragraph | Table)[]

/**
 * Returns a table with its caption before it and an empty paragraph after it, which separates two tables; text where Word's
 * limits are exceeded.
 */
function tableBlocks(node: Element, place: Place, fill: FillCell): (Paragraph | Table)[] {
  const table = tableOf(node)
  const { caption, grid } = table
  const title =
    caption === '' ? [] : [new Paragraph({ children: textRun(caption, { bold: true }) })]
  if (grid.columns === 0) return title
  if (grid.columns > max.columns || place.cells >= max.nested)
    return plainText([node])
      .split('\n')
      .map((line) => new Paragraph({ children: textRun(line) }))
  return [...title, tableOfGrid(table, place, fill), new Paragraph({})]
}

function tableOfGrid({ grid }: ContentTable, place: Place, fill: FillCell): Table {
  const inside = (align: Place['align'] | null, bold: boolean): Place => ({
    level: 0,
    cells: place.cells + 1,
    style: bold ? { bold: true } : {},
    ...(align && { align }),
  })
  const rows = grid.rows.map((slots, row) => {
    const cells: TableCell[] = []
    for (let column = 0; column < grid.columns; column += 1) {
      const slot = slots[column]
      if (!slot) {
        cells.push(new TableCell({ children: [new Paragraph({})] }))
        continue
      }
      const begins = beginsAt(slot, row, column)
      const extent = extentOf(grid, slot.row, slot.column)
      const within = row < slot.row + extent.rows && column < slot.column + extent.columns
      // docx itself writes the continuation cells below the first row of a merged cell.
      if (within && !begins) continue
      const { cell } = slot
      const children = begins ? fill(cell.nodes, inside(cell.align, cell.header)) : []
      if (!(children.at(-1) instanceof Paragraph)) children.push(new Paragraph({}))
      cells.push(
        new TableCell({
          children,
          ...(begins && extent.columns > 1 && { columnSpan: extent.columns }),
          ...(begins && extent.rows > 1 && { rowSpan: extent.rows }),
        }),
      )
    }
    const header = slots.length > 0 && slots.every((slot) => slot?.cell.header)
    return new TableRow({ children: cells, ...(header && row === 0 && { tableHeader: true }) })
  })
  return new Table({
    rows,
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: Array.from({ length: grid.columns }, () => Math.floor(width / grid.columns)),
  })
}
