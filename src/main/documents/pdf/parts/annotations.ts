import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib'

/** An annotation drawn over a page: a stamp, a note, the content of a form field. */
export interface DrawnAnnotation {
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
export function drawnAnnotations(context: PDFContext, page: PDFDict): readonly DrawnAnnotation[] {
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
