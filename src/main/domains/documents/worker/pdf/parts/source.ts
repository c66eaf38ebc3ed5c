import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib'
import { withDirectLengths } from './lengths.ts'

/** A page of a file that is being split. */
export interface SourcePage {
  readonly dict: PDFDict
  /** Null for a page that is stored directly in its parent. */
  readonly ref: PDFRef | null
  /** Attributes inherited from parent nodes that the page lacks. */
  readonly inherited: ReadonlyMap<PDFName, PDFObject>
}

/** A PDF as its objects, decrypted. */
export interface SplitSource {
  readonly context: PDFContext
  readonly catalog: PDFDict
  readonly pages: readonly SourcePage[]
  /**
   * Whether strings of this object are plain bytes instead of the escaped text between parentheses in a file.
   */
  plainStrings(object: PDFRef): boolean
}

const heritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name))

/** Maximum number of pages; a file with more is malicious. */
const maxPages = 100_000
const maxNodes = 3 * maxPages

/**
 * Reads all objects of a PDF. Throws if anything is not as expected: the file is then drawn instead. The bytes are
 * retained, and changed where lengths of streams are inserted: large data in them is never copied.
 */
export async function openSplitSource(bytes: Buffer, password: string): Promise<SplitSource> {
  const { context } = await PDFDocument.load(withDirectLengths(bytes), {
    password,
    updateMetadata: false,
    parseSpeed: Infinity,
  })
  const { catalog, pages } = pagesOf(context)
  return { context, catalog, pages, plainStrings: plainStringsOf(context, context.isDecrypted) }
}

/** Returns the catalog of a file and its pages in order. Throws if the page tree is damaged. */
export function pagesOf(context: PDFContext): Pick<SplitSource, 'catalog' | 'pages'> {
  const catalog = context.lookup(context.trailerInfo.Root)
  if (!(catalog instanceof PDFDict)) throw new Error('The file has no catalog')
  const pages: SourcePage[] = []
  const nodes = { left: maxNodes }
  gather(context, catalog.get(PDFName.of('Pages')), new Map(), { path: new Set(), nodes }, pages)
  return { catalog, pages }
}

function gather(
  context: PDFContext,
  node: PDFObject | undefined,
  above: ReadonlyMap<PDFName, PDFObject>,
  seen: { readonly path: Set<PDFObject>; readonly nodes: { left: number } },
  pages: SourcePage[],
): void {
  const { path, nodes } = seen
  // Branches with shared children grow exponentially, with or without pages at their ends.
  if (nodes.left-- === 0) throw new Error('The page tree is too large')
  const dict = context.lookup(node)
  if (!(dict instanceof PDFDict) || path.has(dict)) throw new Error('The page tree is damaged')
  const inherited = new Map(above)
  for (const name of heritable) {
    const own = dict.get(name)
    if (own) inherited.set(name, own)
  }
  const kids = dict.lookup(PDFName.of('Kids'))
  if (!(kids instanceof PDFArray)) {
    pages.push({ dict, ref: node instanceof PDFRef ? node : null, inherited })
    if (pages.length > maxPages) throw new Error('The page tree is too large')
    return
  }
  path.add(dict)
  for (const kid of kids.asArray()) gather(context, kid, inherited, seen, pages)
  path.delete(dict)
}

/**
 * The library returns decrypted strings as bytes, except those in object streams (decrypted as a whole), which it
 * returns as written.
 */
function plainStringsOf(context: PDFContext, encrypted: boolean): (object: PDFRef) => boolean {
  if (!encrypted) return () => false
  const packed = new Set<number>()
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue
    if (object.dict.lookup(PDFName.of('Type')) !== PDFName.of('ObjStm')) continue
    const count = Number(object.dict.lookup(PDFName.of('N'))?.toString())
    const first = Number(object.dict.lookup(PDFName.of('First'))?.toString())
    const head = Buffer.from(decodePDFRawStream(object).getBytes(first)).toString('latin1')
    const numbers = head.trim().split(/\s+/).map(Number)
    for (let i = 0; i < count; i++) packed.add(numbers[2 * i] ?? -1)
  }
  return (object) => !packed.has(object.objectNumber)
}
