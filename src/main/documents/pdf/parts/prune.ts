import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFStream,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib'
import { contentNames, keyOf } from './names.ts'

/** What content names things by: each is a dictionary within Resources. */
const categories = [
  'XObject',
  'Font',
  'Pattern',
  'ExtGState',
  'ColorSpace',
  'Shading',
  'Properties',
].map((name) => PDFName.of(name))

/** Used without being named. */
const always = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']

/** Colour spaces stand within colour spaces; deeper than this none does. */
const deepest = 6

/** Makes Resources smaller. */
export interface Pruner {
  resources(resources: PDFDict, content: readonly PDFObject[]): PDFDict
}

/** A pruner that reads each form once, however many pages draw it. */
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
 * A Resources dictionary with only what `content` may use: itself, the forms, patterns and glyphs it draws that have no Resources
 * of their own, and what those of their own lack. On any doubt it is given back as it is. Entries are never looked into further:
 * what they draw is pruned where they are written.
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

/** The objects that go by one of these names. */
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

/** Content that is drawn with an entry, and its own Resources. */
interface Drawn {
  readonly streams: readonly PDFObject[]
  readonly own: PDFDict | null
}

/** Forms, tiles, glyphs that are drawings, and the groups of soft masks. */
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

/** Streams that are content: forms and tiling patterns. */
export function isContent(dict: PDFDict): boolean {
  return (
    dict.lookup(PDFName.of('Subtype')) === PDFName.of('Form') ||
    dict.lookup(PDFName.of('PatternType')) !== undefined
  )
}

/** The glyphs of a font that draws them (Type 3). */
export function glyphsOf(context: PDFContext, font: PDFDict): readonly PDFObject[] {
  const drawings = font.lookup(PDFName.of('CharProcs'))
  if (!(drawings instanceof PDFDict)) return []
  return drawings.values().flatMap((value) => context.lookup(value) ?? [])
}

/** The Resources that a form, pattern or font has of its own. */
export function resourcesOf(context: PDFContext, dict: PDFDict): PDFDict | null {
  const own = context.lookup(dict.get(PDFName.Resources))
  return own instanceof PDFDict ? own : null
}

/** Names that are not found in the Resources where they should be: some readers then look into those of the page. */
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

/** Names of colour spaces that an entry (a picture, a shading, another colour space) is made with. */
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
