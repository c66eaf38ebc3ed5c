import { readFile } from 'node:fs/promises'
import { engineNames } from '../../../../shared/provider/engine-names.ts'
import { textFormats } from '../../../../shared/documents/text-formats.ts'
import type { DocumentFacts, PartPlan } from '../../../../shared/model/document.ts'
import {
  TextFileProblem,
  type Section,
  type TextBlock,
} from '../../../../system/text-files/blocks.ts'
import { readTextFile } from '../../../../system/text-files/read-text-file.ts'
import { AppError } from '../../../errors.ts'
import type { TextFile } from './messages.ts'
import { imageAddresses } from './reading/image-links.ts'
import { pageMarkdown, type ReadBlock } from './reading/page-markdown.ts'
import { portionsOf, type ReplyRead } from './reading/reply.ts'

/**
 * Returns the facts of a file that contains its text: each section is a page without an image. Throws DAMAGED_FILE,
 * UNSUPPORTED_FORMAT, LIMIT_EXCEEDED, EMPTY_FILE, FILE_MISSING.
 */
export async function textFacts(file: TextFile): Promise<DocumentFacts> {
  const { bytes, sections } = await sectionsOf(file)
  return {
    mime: textFormats[file.format].mime,
    bytes,
    pages: sections.length,
    sizes: [],
    locked: 'no',
    textChars: sections.map(({ blocks }) =>
      blocks.reduce((sum, { content }) => sum + content.replace(/\s/g, '').length, 0),
    ),
    titles: sections.map(({ title }) => title),
  }
}

/** Reads pages of a file that contains its text, in the form of a response. Throws as {@link textFacts}. */
export async function readTextPages({
  first,
  last,
  ...file
}: TextFile & PartPlan): Promise<ReplyRead> {
  const { sections } = await sectionsOf(file)
  const pages = sections
    .slice(first - 1, last)
    .map(({ blocks }, at) => ({ page: first + at, blocks: blocks.map(toReadBlock) }))
  return {
    model: engineNames.textFiles,
    markdown: pages.map(({ page, blocks }) => pageMarkdown(page, blocks)).join('\n\n'),
    regime: null,
    pages: pages.map(({ page, blocks }) => ({
      page,
      raster: null,
      regime: 'none',
      layoutPicture: null,
      blocks: blocks.length,
    })),
    portions: portionsOf(pages).map((portion) => JSON.stringify(portion)),
    addresses: imageAddresses(
      pages.flatMap((page) => page.blocks),
      [],
    ).slice(0, maxImages),
    filled: [],
  }
}

/** Maximum number of image URLs of one file that can be requested. */
const maxImages = 1_000

async function sectionsOf({ path, format }: TextFile): Promise<{
  readonly bytes: number
  readonly sections: readonly Section[]
}> {
  const file = await readFile(path).catch((error: unknown) => {
    throw new AppError('FILE_MISSING', 'The file cannot be opened', { cause: error })
  })
  if (file.length === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
  try {
    return { bytes: file.length, sections: await readTextFile(file, format) }
  } catch (error) {
    throw error instanceof TextFileProblem ? asAppError(error, format) : error
  }
}

function asAppError(error: TextFileProblem, format: TextFile['format']): AppError {
  const { kind } = textFormats[format]
  switch (error.trouble) {
    case 'damaged':
      return new AppError('DAMAGED_FILE', error.message, {
        params: { problem: 'text-file', kind },
        cause: error,
      })
    case 'protected':
      return new AppError('UNSUPPORTED_FORMAT', error.message, {
        params: { problem: 'protected', kind },
      })
    case 'too-large':
      return new AppError('DAMAGED_FILE', error.message, { params: { problem: 'too-much' } })
  }
}

const nativeLabels: Readonly<Record<TextBlock['kind'], string>> = {
  title: 'paragraph_title',
  text: 'text',
  list: 'list',
  table: 'table',
  figure: 'image',
}

const toReadBlock = ({ kind, content }: TextBlock, order: number): ReadBlock => ({
  order,
  kind: kind === 'list' ? 'text' : kind,
  label: kind === 'table' ? 'table' : kind === 'figure' ? 'image' : 'text',
  nativeLabel: nativeLabels[kind],
  content,
  box: null,
  raw: null,
  guessed: false,
})
