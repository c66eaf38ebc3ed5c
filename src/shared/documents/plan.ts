import { textFormatOfMime } from './text-formats.ts'
import type { DocumentFacts, ParsePlan, PartPlan } from '../model/document.ts'
import type { Limits } from '../provider/limits.ts'
import { countPages, type PageRange } from './ranges.ts'

/** Maximum size of document parts. */
export interface PartSettings {
  readonly pages: number
  readonly bytes: number
}

/**
 * Far below the provider's limits (notes R2): a failed part is cheap to repeat, progress is visible, and no request
 * comes close to a timeout. Bytes are binary megabytes, like the limits.
 */
export const partSettings: PartSettings = { pages: 24, bytes: 30 * 1024 * 1024 }

/** Allowed values for the size of parts and for concurrency. Bounds are inclusive. */
export const partBounds = {
  pages: { min: 1, max: 100, default: partSettings.pages },
  megabytes: { min: 1, max: 50, default: 30 },
  requests: { min: 1, max: 10, default: 3 },
} as const

/**
 * Plans the parts in which pages (merged ranges) are sent: within each range as few as the settings and the profile's
 * limits allow, of about equal length. Bytes are estimated by an equal share per page; a part that turns out too large
 * is halved when it is created.
 */
export function planParts(
  facts: Pick<DocumentFacts, 'mime' | 'bytes' | 'pages'>,
  ranges: readonly PageRange[],
  limits: Limits,
  settings: PartSettings = partSettings,
): readonly PartPlan[] {
  const maxPages = maxPagesPerPart(facts, limits, settings)
  return ranges.flatMap((range) => evenParts(range, maxPages))
}

/**
 * Returns the totals of sending these parts; each part is one request. Bytes are a share of the file size.
 */
export function planOf(
  facts: Pick<DocumentFacts, 'bytes' | 'pages'>,
  parts: readonly PartPlan[],
): ParsePlan {
  const pages = countPages(parts)
  const share = facts.pages > 0 ? Math.min(1, pages / facts.pages) : 0
  return {
    pages,
    bytes: Math.round(facts.bytes * share),
    parts: parts.length,
    requests: parts.length,
  }
}

/** Returns the two halves of a part that was too large; null for a single page. */
export function halves({ first, last }: PartPlan): readonly [PartPlan, PartPlan] | null {
  if (first >= last) return null
  const middle = first + Math.floor((last - first) / 2)
  return [
    { first, last: middle },
    { first: middle + 1, last },
  ]
}

function maxPagesPerPart(
  { mime, bytes, pages }: Pick<DocumentFacts, 'mime' | 'bytes' | 'pages'>,
  { layout }: Limits,
  settings: PartSettings,
): number {
  // Read as a whole, and never sent.
  if (textFormatOfMime(mime)) return Math.max(1, pages)
  if (mime !== 'application/pdf') return 1
  const target = Math.min(settings.bytes, layout.pdfBytes)
  const byBytes = bytes > 0 ? Math.floor((target * pages) / bytes) : Infinity
  const maxPages = Math.floor(Math.min(settings.pages, layout.pages, byBytes))
  return Number.isNaN(maxPages) ? 1 : Math.max(1, maxPages)
}

/** The longer parts are first. */
function evenParts({ first, last }: PageRange, maxPages: number): readonly PartPlan[] {
  const pages = last - first + 1
  const count = Math.ceil(pages / maxPages)
  const start = (part: number): number =>
    first + part * Math.floor(pages / count) + Math.min(part, pages % count)
  return Array.from({ length: count }, (_, part) => ({
    first: start(part),
    last: start(part + 1) - 1,
  }))
}
