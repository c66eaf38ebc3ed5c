import { decodeText, type DecoderOf } from '../../shared/knowledge/slicing/encoding.ts'
import type { TextFormat } from '../../shared/documents/text-formats.ts'
import {
  markdownText,
  maxChars,
  sectionsOf,
  TextFileProblem,
  type Section,
  type TextBlock,
} from './blocks.ts'
import { docxBlocks } from './docx.ts'
import { readEpub } from './epub.ts'
import { htmlBlocks } from './html.ts'
import { markdownBlocks } from './markdown.ts'
import { readPptx } from './pptx.ts'
import { readXlsx } from './xlsx.ts'
import { openZip } from './zip.ts'

/** Maximum numbers of sections and blocks. */
const maxSections = 20_000
const maxBlocks = 200_000

/**
 * Reads a file that contains its text: at least one section with blocks in reading order. Nothing is loaded or run, and no
 * path or URL of the file is used. Throws {@link TextFileProblem}.
 */
export async function readTextFile(
  bytes: Uint8Array<ArrayBuffer>,
  format: TextFormat,
): Promise<readonly Section[]> {
  const sections: Section[] = []
  let blocks = 0
  let chars = 0
  try {
    for (const section of await readers[format](bytes)) {
      sections.push(section)
      blocks += section.blocks.length
      for (const { content } of section.blocks) chars += content.length
      if (sections.length > maxSections || blocks > maxBlocks || chars > maxChars)
        throw new TextFileProblem('too-large', 'The file contains more text than Lectern can show')
    }
  } catch (error) {
    if (error instanceof TextFileProblem) throw error
    throw new TextFileProblem('damaged', `The file cannot be read as ${format}`, { cause: error })
  }
  return sections.length > 0 ? sections : [{ title: '', blocks: [] }]
}

type Reader = (bytes: Uint8Array<ArrayBuffer>) => Promise<Iterable<Section>>

const readers: Readonly<Record<TextFormat, Reader>> = {
  docx: async (bytes) => sectionsOf(await docxBlocks(openZip(bytes))),
  pptx: async (bytes) => readPptx(openZip(bytes)),
  xlsx: async (bytes) => readXlsx(openZip(bytes)),
  epub: async (bytes) => readEpub(openZip(bytes)),
  html: async (bytes) => sectionsOf(htmlBlocks(await webText(bytes))),
  md: async (bytes) => sectionsOf(markdownBlocks(await textOf(bytes))),
  txt: async (bytes) => sectionsOf(paragraphsOf(await textOf(bytes))),
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
