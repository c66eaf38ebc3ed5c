import {
  AlignmentType,
  Document,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  type Table,
} from 'docx'
import { cleanText } from './content/clean.ts'
import type { Node } from './content/nodes.ts'
import { readBlocks, type ReadBlock } from './content/pages.ts'
import { blocksOf } from './docx/blocks.ts'
import { numberingOf, outside, textFont, type DocxParts } from './docx/parts.ts'
import { textRun } from './docx/runs.ts'
import { factLines, missingLine } from './facts.ts'
import type { FileWriter } from './file-writer.ts'
import { readPicture } from './pictures.ts'
import type { DocumentOptions, ExportPage, ExportSource, Pictures } from './types.ts'
import { documentWords } from './words.ts'
import { createZip, unpacked, zipEntries } from './zip.ts'

/** A Word document with equations, merged cells and pictures. Its text is built in memory, its pictures pass through one at a time. */
export async function writeDocx(
  file: FileWriter,
  source: ExportSource,
  options: Pick<DocumentOptions, 'pictures' | 'pageMarks'>,
  pictures: Pictures,
): Promise<{ readonly pictures: number; readonly plainFormulas: number }> {
  const parts: DocxParts = {
    words: documentWords[source.language],
    page: 1,
    pictures: new Map(),
    placed: [],
    starts: new Set(),
    lists: 0,
    plainFormulas: 0,
  }
  const wanted = options.pictures === 'none' ? null : pictures
  const children: (Paragraph | Table)[] = head(source)
  for await (const page of source.pages) {
    parts.page = page.page
    const blocks = readBlocks(page)
    await measure(blocks, parts, wanted)
    children.push(...pageBlocks(page, blocks, { source, options, parts }))
  }
  const packed = await Packer.toBuffer(documentOf(source, children, parts))
  await writePictures(file, packed, parts, wanted)
  return { pictures: parts.placed.length, plainFormulas: parts.plainFormulas }
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

/** Reads the sizes of a page's pictures, one after the other; their bytes are let go again. */
async function measure(
  blocks: readonly ReadBlock[],
  parts: DocxParts,
  pictures: Pictures | null,
): Promise<void> {
  for (const key of blocks.flatMap(({ nodes }) => pictureKeys(nodes))) {
    if (parts.pictures.has(key)) continue
    const read = await readPicture(pictures, key)
    if (read)
      parts.pictures.set(key, { key, type: read.type, width: read.width, height: read.height })
  }
}

function pictureKeys(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'picture') return node.key === null ? [] : [node.key]
    return node.type === 'element' ? pictureKeys(node.children) : []
  })
}

function documentOf(
  source: ExportSource,
  children: readonly (Paragraph | Table)[],
  parts: DocxParts,
): Document {
  return new Document({
    title: cleanText(source.title),
    creator: 'Lectern',
    numbering: { config: Array.from(parts.starts, numbering) },
    styles: {
      default: {
        document: { run: { font: textFont, size: 22 }, paragraph: { spacing: { after: 120 } } },
      },
      paragraphStyles: [
        { id: 'Facts', name: 'Facts', basedOn: 'Normal', run: { color: '666666', size: 18 } },
      ],
    },
    sections: [{ children }],
  })
}

function numbering(start: number) {
  return {
    reference: numberingOf(start),
    levels: Array.from({ length: 9 }, (_, level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${level + 1}.`,
      start: level === 0 ? start : 1,
      alignment: AlignmentType.START,
      style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } },
    })),
  }
}

/** Copies the packed document, with the bytes of each picture where its name stood. */
async function writePictures(
  file: FileWriter,
  packed: Buffer,
  parts: DocxParts,
  pictures: Pictures | null,
): Promise<void> {
  const zip = createZip(file)
  for (const entry of zipEntries(packed)) {
    const [, at] = entry.name.startsWith('word/media/')
      ? (/^picture (\d+)$/.exec(Buffer.from(unpacked(entry)).toString('latin1')) ?? [])
      : []
    const picture = at === undefined ? undefined : parts.placed[Number(at)]
    if (!picture) {
      await zip.copy(entry)
      continue
    }
    const read = await readPicture(pictures, picture.key)
    if (!read) throw new Error('A picture went away while the document was written')
    await zip.store(entry.name, read.bytes)
  }
  await zip.finish()
}
