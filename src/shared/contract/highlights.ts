import { z } from 'zod'
import { highlightColors, type Highlight } from '../model/highlight.ts'
import type { Media } from '../model/library.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(1000)
const fraction = z.number().min(0).max(1)
const color = z.enum(highlightColors)
const note = z.string().max(100_000)

/** Routes of highlights and notes on the pages of documents. Each change is reported by `document.highlights`. */
export const highlights = {
  /** Returns the highlights of a document in the order of its pages. */
  list: route<{ readonly highlights: readonly Highlight[] }>()(z.strictObject({ documentId: id })),
  /** Saves the parts of one selection, each on its page. Throws NOT_FOUND, BAD_REQUEST for a page that does not exist. */
  add: route<{ readonly highlights: readonly Highlight[] }>()(
    z.strictObject({
      documentId: id,
      highlights: z
        .array(
          z.strictObject({
            page: z.number().int().min(1).max(100_000),
            boxes: z
              .array(z.tuple([fraction, fraction, fraction, fraction]))
              .min(1)
              .max(1000),
            quote: z.string().max(50_000),
            note: note.default(''),
            color,
          }),
        )
        .min(1)
        .max(50),
    }),
  ),
  /** Changes the color, the note, or both. */
  change: route<{ readonly highlight: Highlight }>()(
    z.strictObject({ id, color: color.optional(), note: note.optional() }),
  ),
  /** Removed highlights can be restored for a day. */
  remove: route<Record<string, never>>()(z.strictObject({ ids })),
  restore: route<Record<string, never>>()(z.strictObject({ ids })),
  /**
   * Writes the highlights of a document to a file, or (`pdf`) a copy of its PDF with them as annotations, and stores it for a
   * day. REFUSED with `params.problem`: `encryptedPdf`, `notPdf` for a copy of an image, `noHighlights`.
   */
  export: route<{ readonly media: Media }>()(
    z.strictObject({
      documentId: id,
      format: z.enum(['md', 'docx', 'html', 'pdf']),
      language: z.enum(['en', 'zh']),
      callId: z.string().regex(callerIdPattern).optional(),
    }),
  ),
}
