import { inflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFObject,
} from '@cantoo/pdf-lib'

/**
 * Maximum number of decoded bytes of one content stream that are searched; beyond it, all possibly used entries are
 * retained.
 */
const maxBytes = 64 * 1024 * 1024

/** Decodes a name: `#41` is A. */
export const plainName = (written: string): string =>
  written.replace(/#([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** Returns the key of an entry, decoded by {@link plainName}. */
export const keyOf = (name: PDFName): string => plainName(name.toString().slice(1))

/**
 * Returns every name that content may use: everything that follows a slash, wherever it occurs. Letters in strings and
 * images can add names, but none is missed. Null when a stream cannot be decoded reliably.
 */
export function contentNames(streams: readonly PDFObject[]): ReadonlySet<string> | null {
  const texts: string[] = []
  for (const stream of streams) {
    const bytes = stream instanceof PDFRawStream ? decoded(stream) : null
    if (!bytes) return null
    texts.push(bytes.toString('latin1'))
  }
  const names = new Set<string>()
  for (const text of texts) addNames(names, text)
  // Some readers join the streams of a page without a space between them.
  for (let i = 1; i < texts.length; i++) {
    const seam = (texts[i - 1] ?? '').slice(-128) + (texts[i] ?? '').slice(0, 128)
    addNames(names, seam)
  }
  return names
}

const nameToken = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/g

function addNames(names: Set<string>, text: string): void {
  for (const [, written = ''] of text.matchAll(nameToken)) names.add(plainName(written))
}

/** Returns the decoded bytes of a stream; null in case of doubt. */
function decoded(stream: PDFRawStream): Buffer | null {
  const filters = filtersOf(stream.dict)
  if (!filters || hasPredictor(stream.dict)) return null
  try {
    if (filters.length === 0) return Buffer.from(stream.contents)
    if (filters.length === 1 && filters[0] === 'FlateDecode')
      return inflateSync(stream.contents, { maxOutputLength: maxBytes })
    const bytes = decodePDFRawStream(stream).getBytes(maxBytes + 1)
    return bytes.length > maxBytes ? null : Buffer.from(bytes)
  } catch {
    return null
  }
}

function filtersOf(dict: PDFDict): readonly string[] | null {
  const filter = dict.lookup(PDFName.of('Filter'))
  if (filter === undefined) return []
  if (filter instanceof PDFName) return [keyOf(filter)]
  if (!(filter instanceof PDFArray)) return null
  const names = filter.asArray().map((_, i) => filter.lookup(i))
  return names.every((name) => name instanceof PDFName) ? names.map(keyOf) : null
}

/**
 * Predictors transform bytes before compression; no program writes content with them, and the decoder does not undo
 * them.
 */
function hasPredictor(dict: PDFDict): boolean {
  const value = dict.lookup(PDFName.of('DecodeParms')) ?? dict.lookup(PDFName.of('DP'))
  const all = value instanceof PDFArray ? value.asArray().map((_, i) => value.lookup(i)) : [value]
  return all.some((each) => {
    const predictor = each instanceof PDFDict ? each.lookup(PDFName.of('Predictor')) : undefined
    return predictor instanceof PDFNumber && predictor.asNumber() > 1
  })
}
