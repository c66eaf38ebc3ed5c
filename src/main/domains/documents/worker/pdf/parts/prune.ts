import { inflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFStream,
  type PDFContext,
  type PDFObject,
  decodePDFRawStream,
  PDFNumber,
} from '@cantoo/pdf-lib'

/** Categories of names in content: each is a dictionary within Resources. */
const categories = [
  'XObject',
  'Font',
  'Pattern',
  'ExtGState',
  'ColorSpace',
  'Shading',
  'Properties',
].map((name) => PDFName.of(name))

/** Used without being named in content. */
const always = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']

/** Maximum nesting of color spaces; regular files never exceed it. */
const deepest = 6

/** Reduces Resources dictionaries. */
interface Pruner {
  resources(resources: PDFDict, content: readonly PDFObject[]): PDFDict
}

/** Creates a pruner that reads each form once, regardless of how many pages draw it. */
export function createPruner(context: PDFContext): Pruner {
  const known = new Map<PDFObject, ReadonlySet<string> | null>()
  return {
    resources: (resources, content) =>
      prunedResources(context, resources, content, (stream) => {
        let names = known.get(stream)
        if (names === undefined) known.set(stream, (names = contentNames([stream])))
        return names
      }),
  }
}

type NamesOf = (stream: PDFObject) => ReadonlySet<string> | null

/**
 * Returns a Resources dictionary with only what `content` may use: directly, through the forms, patterns and glyphs it
 * draws that have no Resources of their own, and what the Resources of the others lack. In case of doubt, returns it
 * unchanged. Entries are not inspected further: what they draw is pruned when they are written.
 */
function prunedResources(
  context: PDFContext,
  resources: PDFDict,
  content: readonly PDFObject[],
  namesOf: NamesOf,
): PDFDict {
  const names = usedNames(context, resources, content, namesOf)
  if (!names) return resources
  const pruned = PDFDict.withContext(context)
  for (const [key, value] of resources.entries()) {
    const held = context.lookup(value)
    pruned.set(
      key,
      categories.includes(key) && held instanceof PDFDict ? filtered(context, held, names) : value,
    )
  }
  return pruned
}

function filtered(context: PDFContext, held: PDFDict, names: ReadonlySet<string>): PDFDict {
  const retained = PDFDict.withContext(context)
  for (const [key, value] of held.entries()) if (names.has(keyOf(key))) retained.set(key, value)
  return retained
}

function usedNames(
  context: PDFContext,
  resources: PDFDict,
  content: readonly PDFObject[],
  namesOf: NamesOf,
): ReadonlySet<string> | null {
  const seen = new Set<PDFObject>()
  let fresh = [contentNames(content)]
  const names = new Set(always)
  for (;;) {
    const before = names.size
    for (const found of fresh) {
      if (!found) return null
      for (const name of found) names.add(name)
    }
    const drawn: PDFObject[] = []
    for (const entry of entriesOf(context, resources, names)) {
      if (seen.has(entry)) continue
      seen.add(entry)
      for (const name of colorNames(context, entry, 0)) names.add(name)
      for (const { streams, own } of drawnBy(context, entry)) {
        if (!own) drawn.push(...streams)
        else for (const name of lacking(context, own, streams, namesOf)) names.add(name)
      }
    }
    if (drawn.length === 0 && names.size === before) return names
    fresh = drawn.map(namesOf)
  }
}

/** Yields the objects with one of these names. */
function* entriesOf(
  context: PDFContext,
  resources: PDFDict,
  names: ReadonlySet<string>,
): Generator<PDFObject> {
  for (const category of categories) {
    const held = context.lookup(resources.get(category))
    if (!(held instanceof PDFDict)) continue
    for (const [key, value] of held.entries()) {
      const entry = names.has(keyOf(key)) ? context.lookup(value) : undefined
      if (entry) yield entry
    }
  }
}

/** Content that an entry draws, and its own Resources. */
interface Drawn {
  readonly streams: readonly PDFObject[]
  readonly own: PDFDict | null
}

/** Returns forms, tiles, glyphs that are drawings, and the groups of soft masks. */
function drawnBy(context: PDFContext, entry: PDFObject): readonly Drawn[] {
  if (entry instanceof PDFStream) {
    if (!(entry instanceof PDFRawStream) || !isContent(entry.dict)) return []
    return [{ streams: [entry], own: resourcesOf(context, entry.dict) }]
  }
  if (!(entry instanceof PDFDict)) return []
  const mask = entry.lookup(PDFName.of('SMask'))
  const group = mask instanceof PDFDict ? mask.lookup(PDFName.of('G')) : undefined
  if (group instanceof PDFRawStream)
    return [{ streams: [group], own: resourcesOf(context, group.dict) }]
  const glyphs = glyphsOf(context, entry)
  return glyphs.length > 0 ? [{ streams: glyphs, own: resourcesOf(context, entry) }] : []
}

/** Whether a stream is content: a form or a tiling pattern. */
export function isContent(dict: PDFDict): boolean {
  return (
    dict.lookup(PDFName.of('Subtype')) === PDFName.of('Form') ||
    dict.lookup(PDFName.of('PatternType')) !== undefined
  )
}

/** Returns the glyphs of a font that draws them (Type 3). */
export function glyphsOf(context: PDFContext, font: PDFDict): readonly PDFObject[] {
  const drawings = font.lookup(PDFName.of('CharProcs'))
  if (!(drawings instanceof PDFDict)) return []
  return drawings.values().flatMap((value) => context.lookup(value) ?? [])
}

/** Returns the own Resources of a form, pattern or font. */
export function resourcesOf(context: PDFContext, dict: PDFDict): PDFDict | null {
  const own = context.lookup(dict.get(PDFName.Resources))
  return own instanceof PDFDict ? own : null
}

/** Returns names that are missing in their own Resources: some readers then search those of the page. */
function lacking(
  context: PDFContext,
  own: PDFDict,
  streams: readonly PDFObject[],
  namesOf: NamesOf,
): readonly string[] {
  const known = new Set<string>()
  for (const category of categories) {
    const held = context.lookup(own.get(category))
    if (held instanceof PDFDict) for (const key of held.keys()) known.add(keyOf(key))
  }
  return streams
    .flatMap((stream) => Array.from(namesOf(stream) ?? []))
    .filter((name) => !known.has(name))
}

/** Returns names of color spaces that an entry (an image, a shading, another color space) is based on. */
function colorNames(context: PDFContext, entry: PDFObject, depth: number): readonly string[] {
  if (depth > deepest) return []
  if (entry instanceof PDFName) return [keyOf(entry)]
  const inner: (PDFObject | undefined)[] =
    entry instanceof PDFArray
      ? entry.asArray().filter((each) => each instanceof PDFName || each instanceof PDFArray)
      : coloured(entry)
  return inner.flatMap((each) => {
    const value = context.lookup(each)
    return value ? colorNames(context, value, depth + 1) : []
  })
}

function coloured(entry: PDFObject): (PDFObject | undefined)[] {
  const dict = entry instanceof PDFStream ? entry.dict : entry
  if (!(dict instanceof PDFDict)) return []
  return ['ColorSpace', 'CS', 'Shading'].map((name) => dict.get(PDFName.of(name)))
}

/**
 * Maximum number of decoded bytes of one content stream that are searched; beyond it, all possibly used entries are
 * retained.
 */
const maxBytes = 64 * 1024 * 1024

/** Decodes a name: `#41` is A. */
const plainName = (written: string): string =>
  written.replace(/#([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** Returns the key of an entry, decoded by {@link plainName}. */
const keyOf = (name: PDFName): string => plainName(name.toString().slice(1))

/**
 * Returns every name that content may use: everything that follows a slash, wherever it occurs. Letters in strings and
 * images can add names, but none is missed. Null when a stream cannot be decoded reliably.
 */
function contentNames(streams: readonly PDFObject[]): ReadonlySet<string> | null {
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
