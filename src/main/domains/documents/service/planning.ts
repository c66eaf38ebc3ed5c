import { createHash } from 'node:crypto'
import { countPages, readRanges } from '../../../../shared/documents/ranges.ts'
import { textFormatOfMime } from '../../../../shared/documents/text-formats.ts'
import { planParts, type PartSettings } from '../../../../shared/documents/plan.ts'
import type {
  DocumentFacts,
  ParseOptions,
  ParsePlan,
  PartPlan,
} from '../../../../shared/model/document.ts'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { limitsWith } from '../../../../shared/provider/limits.ts'
import { wireModel, type Account } from '../../../../shared/provider/profiles.ts'
import { AppError } from '../../../errors.ts'

/** Plan of a version: requested pages, pages that are already parsed, and the parts for the others. */
export interface Planned {
  readonly pages: readonly PartPlan[]
  readonly reusedPages: number
  readonly parts: readonly PartPlan[]
}

/**
 * Identifies everything except the file and its pages that determines a result: the host, the model, the options.
 * Accounts at the same host get the same results.
 */
export function fingerprintOf(
  { profile, preset }: Pick<Account, 'profile' | 'preset'>,
  { crops, layoutPictures }: ParseOptions,
): string {
  // The service on this computer has a different address at each start.
  const host = preset === 'local' ? 'this-computer' : profile.baseUrl
  return createHash('sha256')
    .update(JSON.stringify([host, wireModel(profile, 'gen-ocr'), crops, layoutPictures]))
    .digest('base64url')
}

/** Returns the pages that a text specifies. Throws BAD_REQUEST with the invalid part, and when there are no pages at all. */
export function requestedPages(text: string, count: number): readonly PartPlan[] {
  const read = readRanges(text, count)
  if (!read.ok) {
    const [fault] = read.faults
    throw new AppError('BAD_REQUEST', 'The document does not have these pages', {
      params: {
        piece: fault?.part ?? text,
        problem: fault?.problem ?? 'unreadable',
        pages: count,
      },
    })
  }
  if (read.ranges.length === 0) throw new AppError('BAD_REQUEST', 'No pages were specified')
  return read.ranges
}

/** Part of a plan that describes an image too large for the provider; `parts` is what is left to send. */
export function shrunk(
  { mime, bytes }: Pick<DocumentFacts, 'mime' | 'bytes'>,
  parts: readonly PartPlan[],
  { profile }: Pick<Account, 'profile'>,
): Pick<ParsePlan, 'bytes' | 'shrunkTo'> | undefined {
  const { imageBytes } = limitsWith(profile.limits).layout
  if (
    mime === 'application/pdf' ||
    textFormatOfMime(mime) ||
    parts.length === 0 ||
    bytes <= imageBytes
  )
    return undefined
  return { bytes: imageBytes, shrunkTo: imageBytes }
}

/** Returns the parts for pages, by the limits of an account and the chosen sizes. */
export const partsFor = (
  facts: DocumentFacts,
  pages: readonly PartPlan[],
  account: Pick<Account, 'profile'>,
  settings?: PartSettings,
): readonly PartPlan[] => planParts(facts, pages, limitsWith(account.profile.limits), settings)

/** Returns the chosen part sizes. */
export const chosenParts = ({
  partPages,
  partMegabytes,
}: Pick<Settings, 'partPages' | 'partMegabytes'>): PartSettings => ({
  pages: partPages,
  bytes: partMegabytes * 1024 * 1024,
})

/** Returns which of the pages are to be sent when some of them are already parsed. */
export function planned(
  facts: DocumentFacts,
  pages: readonly PartPlan[],
  known: readonly PartPlan[],
  account: Pick<Account, 'profile'>,
  settings?: PartSettings,
): Planned {
  const rest = without(pages, known)
  return {
    pages,
    reusedPages: countPages(pages) - countPages(rest),
    parts: partsFor(facts, rest, account, settings),
  }
}

/** Subtracts ranges; both lists are sorted and have no overlaps. */
export function without(
  pages: readonly PartPlan[],
  taken: readonly PartPlan[],
): readonly PartPlan[] {
  const left: PartPlan[] = []
  let start = 0
  for (const { first, last } of pages) {
    while ((taken[start]?.last ?? Infinity) < first) start += 1
    let from = first
    for (let at = start; (taken[at]?.first ?? Infinity) <= last; at++) {
      const gone = taken[at]
      if (!gone) break
      if (gone.first > from) left.push({ first: from, last: gone.first - 1 })
      from = gone.last + 1
    }
    if (from <= last) left.push({ first: from, last })
  }
  return left
}
