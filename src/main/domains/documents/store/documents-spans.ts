import type { PartPlan } from '../../../../shared/model/document.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { PartRow, VersionRow } from './documents-rows.ts'
import type { NewPart } from './documents-types.ts'

/** Asserts that page ranges are valid, ascending and do not overlap. Throws REFUSED. */
export function assertNoOverlap(spans: readonly PartPlan[]): void {
  let end = 0
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first <= end || last < first)
      throw new AppError('REFUSED', 'Page ranges overlap or are invalid')
    end = last
  }
}

/** Returns the page range of a part. */
export const spanOf = (part: PartRow): { readonly first: number; readonly last: number } => ({
  first: part.first_page,
  last: part.last_page,
})

/** Inserts the rows of new parts and returns their numbers. */
export const insertParts = (
  connection: Connection,
  version: VersionRow,
  parts: readonly NewPart[],
): readonly { readonly part: NewPart; readonly seq: number }[] =>
  parts.map((part) => ({
    part,
    seq: connection.run(
      `INSERT INTO document_parts(id, version_seq, first_page, last_page, bytes, state, priority, fingerprint)
       VALUES (?, ?, ?, ?, ?, 'queued', ?, ?)`,
      part.id,
      version.seq,
      part.first,
      part.last,
      part.bytes,
      version.priority,
      version.fingerprint,
    ).lastId,
  }))

/** Asserts that replacement parts cover exactly the pages of the part. Throws REFUSED. */
export function assertCovers(part: PartRow, parts: readonly NewPart[]): void {
  assertNoOverlap(parts)
  const pages = parts.reduce((sum, each) => sum + each.last - each.first + 1, 0)
  const inside = parts.every((each) => each.first >= part.first_page && each.last <= part.last_page)
  if (!inside || pages !== part.last_page - part.first_page + 1)
    throw new AppError('REFUSED', 'The new parts do not cover the pages of the part they replace')
}
