import {
  PDFArray,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFObject,
  PDFNumber,
  type PDFContext,
} from '@cantoo/pdf-lib'
import { beginPdf, type PdfFile } from './file.ts'
import { createPruner, glyphsOf, isContent, resourcesOf } from './prune.ts'
import type { SourcePage, SplitSource } from './source.ts'

/**
 * What a page is drawn from besides its annotations; thumbnails and private data of programs are left out.
 */
const ofPage = ['UserUnit', 'Group', 'Contents'].map((name) => PDFName.of(name))
const heritable = ['MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name))

/** Entries of streams that are never drawn. */
const idle = new Set(
  ['Length', 'Metadata', 'PieceInfo', 'OPI', 'StructParent', 'StructParents', 'Alternates'].map(
    (name) => PDFName.of(name),
  ),
)

/** Structural objects of a document; no drawing needs them, and each leads to the whole document. */
const order = new Set(
  ['Catalog', 'Pages', 'Page', 'StructTreeRoot', 'StructElem', 'Annot', 'Outlines'].map((name) =>
    PDFName.of(name),
  ),
)

const catalogNumber = 1
const treeNumber = 2

/**
 * Writes pages into a new PDF with only what their content uses, and returns its size in bytes. Objects are written as
 * they are encountered and never copied in memory. Throws PartTooLarge (nothing is left behind), and on objects that
 * cannot be copied.
 */
export function writePages(
  source: SplitSource,
  pages: readonly SourcePage[],
  path: string,
  maxBytes: number,
): number {
  const file = beginPdf(path, maxBytes)
  try {
    const writer = createWriter(source, file)
    writer.pages(pages)
    file.finish(catalogNumber)
    return file.bytes
  } catch (error) {
    file.abandon()
    throw error
  }
}

function createWriter(
  { context, catalog, plainStrings }: SplitSource,
  file: PdfFile,
): { pages(pages: readonly SourcePage[]): void } {
  const pruner = createPruner(context)
  const numbers = new Map<PDFRef, number>()
  let waiting: PDFRef[] = []
  let last = treeNumber
  let plain = false

  function reference(ref: PDFRef): string {
    const known = numbers.get(ref)
    if (known !== undefined) return `${known} 0 R`
    const object = context.lookup(ref)
    if (object === undefined || isOrder(object)) return 'null'
    last += 1
    numbers.set(ref, last)
    waiting.push(ref)
    return `${last} 0 R`
  }

  function isOrder(object: PDFObject): boolean {
    const type = object instanceof PDFDict ? object.lookup(PDFName.Type) : undefined
    return type instanceof PDFName && order.has(type)
  }

  function value(object: PDFObject): string {
    if (object instanceof PDFRef) return reference(object)
    if (object instanceof PDFDict) return `<<${entries(object)}>>`
    if (object instanceof PDFArray) return `[${object.asArray().map(value).join(' ')}]`
    if (object instanceof PDFString && plain)
      return `<${Buffer.from(object.asString(), 'latin1').toString('hex')}>`
    if (object instanceof PDFInvalidObject || object instanceof PDFStream)
      throw new Error('An object cannot be copied')
    return object.toString()
  }

  function entries(dict: PDFDict, without?: ReadonlySet<PDFName>): string {
    let text = ''
    for (const [key, held] of dict.entries())
      if (!without?.has(key)) text += `${key.toString()} ${value(pruned(dict, key, held))}`
    return text
  }

  /** Forms, patterns and drawn fonts share Resources as pages do. */
  function pruned(dict: PDFDict, key: PDFName, held: PDFObject): PDFObject {
    if (key !== PDFName.Resources) return held
    const own = resourcesOf(context, dict)
    const glyphs = own ? glyphsOf(context, dict) : []
    return own && glyphs.length > 0 ? pruner.resources(own, glyphs) : held
  }

  function stream(object: PDFRawStream): void {
    const own = isContent(object.dict) ? resourcesOf(context, object.dict) : null
    const without = own ? new Set([...idle, PDFName.Resources]) : idle
    file.text(`<<${entries(object.dict, without)}`)
    if (own) file.text(`/Resources ${value(pruner.resources(own, [object]))}`)
    file.text(`/Length ${object.contents.length}>>\nstream\n`)
    file.raw(object.contents)
    file.text('\nendstream')
  }

  /** Writes the referenced objects, and everything they refer to. */
  function rest(): void {
    for (let refs = waiting; refs.length > 0; refs = waiting) {
      waiting = []
      for (const ref of refs) {
        const object = context.lookup(ref) ?? PDFNull
        plain = plainStrings(ref)
        file.begin(numbers.get(ref) ?? 0)
        if (object instanceof PDFRawStream) stream(object)
        else file.text(value(object))
        file.end()
      }
    }
  }

  function page({ dict, ref, inherited }: SourcePage, number: number): void {
    plain = ref !== null && plainStrings(ref)
    const parts = [`/Type/Page/Parent ${treeNumber} 0 R`]
    for (const key of heritable) {
      const held = context.lookup(inherited.get(key))
      if (held) parts.push(`${key.toString()} ${value(held)}`)
    }
    for (const key of ofPage) {
      const held = dict.get(key)
      if (held) parts.push(`${key.toString()} ${value(held)}`)
    }
    parts.push(annotations(dict))
    const resources = context.lookup(inherited.get(PDFName.Resources))
    const used =
      resources instanceof PDFDict ? value(pruner.resources(resources, contentsOf(dict))) : '<<>>'
    file.begin(number)
    file.text(`<<${parts.join('')}/Resources ${used}>>`)
    file.end()
    rest()
  }

  /** Writes annotations as stamps: every reader draws a filled-in field then, without a form around it. */
  function annotations(dict: PDFDict): string {
    const all = drawnAnnotations(context, dict).map(({ rectangle, flags, appearance, layer }) => {
      const annotationEntries = `/Rect ${value(rectangle)}/F ${flags}/AP<</N ${reference(appearance)}>>`
      return `<</Type/Annot/Subtype/Stamp${annotationEntries}${layer ? `/OC ${value(layer)}` : ''}>>`
    })
    return all.length > 0 ? `/Annots[${all.join('')}]` : ''
  }

  function contentsOf(dict: PDFDict): readonly PDFObject[] {
    const contents = dict.lookup(PDFName.Contents)
    if (!(contents instanceof PDFArray)) return contents === undefined ? [] : [contents]
    return contents.asArray().flatMap((each) => context.lookup(each) ?? [])
  }

  return {
    pages(pages) {
      const own = pages.map(() => (last += 1))
      for (const [i, each] of pages.entries()) page(each, own[i] ?? 0)
      // Visibility of layers is defined here, for the whole file.
      const layers = catalog.get(PDFName.of('OCProperties'))
      plain = false
      const shown = layers ? `/OCProperties ${value(layers)}` : ''
      rest()
      file.begin(catalogNumber)
      file.text(`<</Type/Catalog/Pages ${treeNumber} 0 R${shown}>>`)
      file.end()
      const kids = own.map((number) => `${number} 0 R`).join(' ')
      file.begin(treeNumber)
      file.text(`<</Type/Pages/Kids[${kids}]/Count ${own.length}>>`)
      file.end()
    },
  }
}

/** An annotation drawn over a page: a stamp, a note, the content of a form field. */
interface DrawnAnnotation {
  readonly rectangle: PDFArray
  /** Flags as in the file, such as whether it is printed. */
  readonly flags: number
  /** Stream that draws it. */
  readonly appearance: PDFRef
  /** Layer it belongs to. */
  readonly layer: PDFObject | undefined
}

const named = (name: string): PDFName => PDFName.of(name)

/** Links are only click areas, and viewers draw popup windows of notes themselves. */
const undrawn = new Set([named('Link'), named('Popup')])

/** Flags of invisible annotations: hidden (bit 2) and not on screen (bit 6). */
const unseen = 2 | 32

/**
 * Returns the annotations of a page that have their own appearance stream, in their current state; all others show
 * nothing.
 */
function drawnAnnotations(context: PDFContext, page: PDFDict): readonly DrawnAnnotation[] {
  const all = context.lookup(page.get(named('Annots')))
  if (!(all instanceof PDFArray)) return []
  return all.asArray().flatMap((each) => {
    const annotation = context.lookup(each)
    return annotation instanceof PDFDict ? (drawn(context, annotation) ?? []) : []
  })
}

function drawn(context: PDFContext, annotation: PDFDict): DrawnAnnotation | null {
  const subtype = context.lookup(annotation.get(named('Subtype')))
  const flags = numberOf(context.lookup(annotation.get(named('F'))))
  if ((subtype instanceof PDFName && undrawn.has(subtype)) || (flags & unseen) !== 0) return null
  const rectangle = context.lookup(annotation.get(named('Rect')))
  const appearance = appearanceOf(context, annotation)
  if (!(rectangle instanceof PDFArray) || rectangle.size() !== 4 || !appearance) return null
  return { rectangle, flags, appearance, layer: annotation.get(named('OC')) }
}

/** Returns the stream of the current appearance: check boxes have one for each state. */
function appearanceOf(context: PDFContext, annotation: PDFDict): PDFRef | null {
  const appearances = context.lookup(annotation.get(named('AP')))
  if (!(appearances instanceof PDFDict)) return null
  const normal = appearances.get(named('N'))
  const held = context.lookup(normal)
  if (held instanceof PDFRawStream) return normal instanceof PDFRef ? normal : null
  const state = context.lookup(annotation.get(named('AS')))
  if (!(held instanceof PDFDict) || !(state instanceof PDFName)) return null
  const chosen = held.get(state)
  return chosen instanceof PDFRef && context.lookup(chosen) instanceof PDFRawStream ? chosen : null
}

const numberOf = (value: PDFObject | undefined): number =>
  value instanceof PDFNumber ? Math.trunc(value.asNumber()) : 0
