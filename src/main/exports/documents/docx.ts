import { Document, HeadingLevel, Packer, Paragraph, type Table } from 'docx'
import { cleanText } from './content/clean.ts'
import type { Node } from './content/nodes.ts'
import { readBlocks, type ReadBlock } from './content/pages.ts'
import { blocksOf } from './docx/blocks.ts'
import { createBody } from './docx/body.ts'
import { outside, textFont, type DocxParts } from './docx/parts.ts'
import { textRun } from './docx/runs.ts'
import { factLines, missingLine } from './facts.ts'
import type { FileWriter } from './file-writer.ts'
import { readImage } from './images.ts'
import type { DocumentOptions, ExportPage, ExportSource, ImageLoader } from './types.ts'
import { documentLabels } from './labels.ts'
import { createZip, unpacked, zipEntries, type ZipEntry, type ZipWriter } from './zip.ts'

/**
 * Writes a Word document with equations, merged cells and images. A page is written before the next is read, images one at a
 * time.
 */
export async function writeDocx(
  file: FileWriter,
  source: ExportSource,
  options: Pick<DocumentOptions, 'images' | 'pageMarks'>,
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
  const empty = zipEntries(await Packer.toBuffer(document))
  // Programs inspect the first entry to detect the type of an archive.
  for (const entry of empty) if (entry.name === '[Content_Types].xml') await zip.copy(entry)
  const [before, after] = around(empty)
  const text = await zip.text(bodyName)
  const body = createBody(document)
  await text.write(`${before}${body.xmlOf(head(source))}`)
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

const bodyName = 'word/document.xml'
/** Placeholder for the document's text in the output of the library. */
const here = 'the text of the document'

/** Returns what the library writes before and after the text of a document. */
function around(entries: readonly ZipEntry[]): readonly [before: string, after: string] {
  const entry = entries.find(({ name }) => name === bodyName)
  const xml = entry ? Buffer.from(unpacked(entry)).toString('utf8') : ''
  const [before, after] = xml.split(new RegExp(`<w:p>(?:(?!<w:p>).)*${here}.*?</w:p>`, 's'))
  if (before === undefined || after === undefined) throw new Error('The document has no body')
  return [before, after]
}

function head(source: ExportSource): Paragraph[] {
  return [
    new Paragraph({ text: cleanText(source.title), heading: HeadingLevel.TITLE }),
    ...factLines(source).map((line) => new Paragraph({ children: textRun(line), style: 'Facts' })),
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
  for (const entry of zipEntries(packed)) {
    if (entry.name === bodyName || entry.name === '[Content_Types].xml') continue
    const [, at] = entry.name.startsWith('word/media/')
      ? (/^picture (\d+)$/.exec(Buffer.from(unpacked(entry)).toString('latin1')) ?? [])
      : []
    const image = at === undefined ? undefined : parts.placed[Number(at)]
    if (!image) {
      await zip.copy(entry)
      continue
    }
    const read = await readImage(images, image.key)
    if (!read) throw new Error('An image was removed while the document was being written')
    await zip.store(entry.name, read.bytes)
  }
  await zip.finish()
}
