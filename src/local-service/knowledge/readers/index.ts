import type { PageEngine } from '../../engines/pages.ts'
import { DocumentFailure } from '../types.ts'
import type { DocumentKind, Passage } from '../types.ts'
import { decodeText } from './encoding.ts'
import { readPages } from './pages.ts'
import type { FoundImage } from './pages.ts'
import { readSheet } from './sheet.ts'
import { readMarkdown, readPlain } from './text.ts'

/** What a file holds. */
export interface ReadDocument {
  readonly passages: readonly Passage[]
  readonly images: readonly FoundImage[]
}

/** Reads a whole file. Throws {@link DocumentFailure}: also when it holds no words. */
export async function readDocument(
  file: {
    readonly name: string
    readonly kind: DocumentKind
    readonly bytes: Uint8Array<ArrayBuffer>
  },
  engine: PageEngine,
  options: { readonly images: boolean; readonly signal: AbortSignal },
): Promise<ReadDocument> {
  const { name, kind, bytes } = file
  const read =
    kind === 'pdf' || kind === 'png' || kind === 'jpeg'
      ? await readPages(engine, bytes, kind, options)
      : { passages: readTexts(kind, decodeText(bytes), name), images: [] }
  if (read.passages.length === 0) throw new DocumentFailure(10001, 'The document holds no words')
  return read
}

function readTexts(
  kind: 'markdown' | 'text' | 'sheet',
  text: string,
  name: string,
): readonly Passage[] {
  if (kind === 'sheet') return readSheet(text, name)
  return kind === 'markdown' ? readMarkdown(text) : readPlain(text)
}
