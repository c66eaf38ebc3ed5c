import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { decodeText, type DecoderOf } from '../../shared/knowledge/slicing/encoding.ts'
import type { TextFormat } from '../../shared/documents/text-formats.ts'
import {
  markdownText,
  sectionsOf,
  TextFileProblem,
  type Section,
  type TextBlock,
} from './blocks.ts'
import { readEpub } from './epub.ts'
import { htmlBlocks } from './html.ts'
import { markdownBlocks } from './markdown.ts'
import { readPptx } from './pptx.ts'
import { readXlsx } from './xlsx.ts'
import { openZip, type ZipFiles } from './zip.ts'

/** Maximum numbers of sections and blocks, and of characters in them: more than any book or sheet that can be shown. */
const maxSections = 20_000
const maxBlocks = 200_000
const maxChars = 60_000_000

/**
 * Reads a file that contains its text: at least one section with blocks in reading order. Nothing is loaded or run, and no
 * path or URL of the file is used. Throws {@link TextFileProblem}.
 */
export async function readTextFile(
  bytes: Uint8Array<ArrayBuffer>,
  format: TextFormat,
): Promise<readonly Section[]> {
  let sections: readonly Section[]
  try {
    sections = await readers[format](bytes)
  } catch (error) {
    if (error instanceof TextFileProblem) throw error
    throw new TextFileProblem('damaged', `The file cannot be read as ${format}`, { cause: error })
  }
  let blocks = 0
  let chars = 0
  for (const section of sections) {
    blocks += section.blocks.length
    for (const { content } of section.blocks) chars += content.length
  }
  if (sections.length > maxSections || blocks > maxBlocks || chars > maxChars)
    throw new TextFileProblem('too-large', 'The file contains more text than Lectern can show')
  return sections.length > 0 ? sections : [{ title: '', blocks: [] }]
}

type Reader = (bytes: Uint8Array<ArrayBuffer>) => Promise<readonly Section[]>

const readers: Readonly<Record<TextFormat, Reader>> = {
  docx: async (bytes) => sectionsOf(await docxBlocks(openZip(bytes))),
  pptx: async (bytes) => readPptx(openZip(bytes)),
  xlsx: (bytes) => readXlsx(bytes, openZip(bytes)),
  epub: async (bytes) => readEpub(openZip(bytes)),
  html: async (bytes) => sectionsOf(htmlBlocks(await webText(bytes))),
  md: async (bytes) => sectionsOf(markdownBlocks(await textOf(bytes))),
  txt: async (bytes) => sectionsOf(paragraphsOf(await textOf(bytes))),
}

/** Styles of titles that mammoth does not know. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

/**
 * Returns the blocks of a Word file. Its texts are packed again for the library, which would unpack anything, whatever size
 * its entries name.
 */
async function docxBlocks(zip: ZipFiles): Promise<readonly TextBlock[]> {
  if (!zip.paths().some((path) => /(?:^|\/)document\d*\.xml$/.test(path)))
    throw new TextFileProblem('damaged', 'The archive contains no document')
  const texts = zip.paths().map((path) => [path, zip.bytes(path) ?? strToU8('')] as const)
  const packed = zipSync(Object.fromEntries(texts), { level: 0 })
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(packed.buffer) },
    {
      styleMap,
      // Only descriptions of images are used, and none is in the archive any more.
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  return htmlBlocks(value)
}

const decoderOf: DecoderOf = (encoding) => new TextDecoder(encoding, { fatal: true })

const textOf = (bytes: Uint8Array): Promise<string> => decodeText(bytes, decoderOf)

/** Decodes a web page by the encoding that it names, or as any other text. */
async function webText(bytes: Uint8Array): Promise<string> {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const named = /<meta[^>]{0,300}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]
  if (named !== undefined && !/^utf-?8$/i.test(named)) {
    try {
      return new TextDecoder(named).decode(bytes)
    } catch {
      // Not an encoding.
    }
  }
  return textOf(bytes)
}

/** Characters of a paragraph in one block: lines without empty ones between them may be a whole book. */
const paragraphChars = 2_000

/** Returns paragraphs between empty lines; their line breaks are preserved. */
function paragraphsOf(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) {
    let lines: string[] = []
    let chars = 0
    const end = (): void => {
      const content = lines.join('  \n')
      if (content.trim() !== '') blocks.push({ kind: 'text', content })
      lines = []
      chars = 0
    }
    for (const line of paragraph.split('\n')) {
      if (line.trim() === '') continue
      lines.push(markdownText(line.trim()))
      chars += line.length
      if (chars >= paragraphChars) end()
    }
    end()
  }
  return blocks
}
