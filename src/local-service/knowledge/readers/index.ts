import type { PageEngine } from '../../engines/pages.ts'
import { collected, createPause } from '../pause.ts'
import { DocumentFailure } from '../../../shared/slicing/types.ts'
import type { DocumentKind, Passage } from '../../../shared/slicing/types.ts'
import { decodeText, type DecoderOf } from '../../../shared/slicing/encoding.ts'
import { readPages } from './pages.ts'
import type { FoundImage } from './pages.ts'
import { readSheet } from '../../../shared/slicing/read-sheet.ts'
import { readMarkdown, readPlain } from '../../../shared/slicing/read-text.ts'

/** Content of a file. */
export interface ReadDocument {
  readonly passages: readonly Passage[]
  readonly images: readonly FoundImage[]
}

/** Reads a whole file. Throws {@link DocumentFailure}, also if it contains no words. */
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
      : {
          passages: await readTexts(
            kind,
            await decodeText(bytes, decoderOf, createPause()),
            name,
            options.signal,
          ),
          images: [],
        }
  if (read.passages.length === 0) throw new DocumentFailure(10001, 'The document has no text')
  return read
}

const decoderOf: DecoderOf = (encoding) => new TextDecoder(encoding, { fatal: true })

/** Maximum paragraphs or rows of a document, and maximum characters, limited by memory. */
const maxPassages = 500_000
const maxChars = 60_000_000

function readTexts(
  kind: 'markdown' | 'text' | 'sheet',
  text: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const read = { sheet: readSheet, markdown: readMarkdown, text: readPlain }[kind]
  let chars = 0
  return collected(read(text, name), signal, (passage, count) => {
    chars += passage.text.length
    if (count > maxPassages || chars > maxChars)
      throw new DocumentFailure(
        10001,
        `The document has more than ${maxPassages} paragraphs or rows, or more than ${maxChars} characters in them`,
      )
  })
}
