import type { Failure } from '../../../../shared/contract/reply.ts'
import {
  defaultParseOptions,
  type Block,
  type BoxRegime,
  type DocumentVersion,
  type PageState,
  type ParseOptions,
  type PartPlan,
  type VersionState,
} from '../../../../shared/model/document.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { PageRecord, PartRecord, PartState } from './documents-types.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** A row of `document_versions` with the ID of its document. */
export interface VersionRow {
  readonly seq: number
  readonly id: string
  readonly item_seq: number
  readonly document_id: string
  readonly number: number
  readonly options: string
  readonly account_id: string
  readonly account_name: string
  readonly content: string
  readonly fingerprint: string
  readonly engine: string | null
  readonly state: VersionState
  readonly asked: number
  readonly returned: number
  readonly failed: number
  readonly waiting: number
  readonly cancelled: number
  readonly calls: number
  readonly priority: number
  readonly error: string | null
  readonly created_at: number
  readonly ended_at: number | null
}

/** A row of `document_parts` with columns of its version and item. */
export interface PartRow {
  readonly seq: number
  readonly id: string
  readonly version_seq: number
  readonly version_id: string
  readonly item_seq: number
  readonly document_id: string
  readonly media_id: string | null
  readonly account_id: string
  readonly options: string
  readonly first_page: number
  readonly last_page: number
  readonly bytes: number | null
  readonly state: PartState
  readonly priority: number
  readonly attempts: number
  readonly failures: number
  readonly calls: number
  readonly next_try_at: number | null
  readonly error: string | null
  readonly surplus: string
}

/** A row of `document_pages` with the IDs of its version and part. */
export interface PageRow {
  readonly page: number
  readonly version_seq: number
  readonly version_id: string | null
  readonly part_id: string | null
  readonly state: PageState
  readonly stands: number
  readonly blocks: number
  readonly edits: number
  readonly raster_width: number | null
  readonly raster_height: number | null
  readonly regime: BoxRegime | null
  readonly layout_picture: string | null
  readonly error: string | null
}

/** A row of `document_blocks`. */
export interface BlockRow {
  readonly seq: number
  readonly item_seq: number
  readonly version_seq: number
  readonly page: number
  readonly place: number
  readonly kind: Block['kind']
  readonly label: string
  readonly native_label: string | null
  readonly content: string
  readonly edited: string | null
  readonly box_left: number | null
  readonly box_top: number | null
  readonly box_right: number | null
  readonly box_bottom: number | null
  readonly raw: string | null
  readonly guessed: number
}

/** Selects {@link VersionRow}s as `v`. */
export const selectVersions =
  'SELECT v.*, i.id AS document_id FROM document_versions v JOIN items i ON i.seq = v.item_seq'

/** Selects {@link PartRow}s as `p`. */
export const selectParts = `SELECT p.*, v.id AS version_id, v.item_seq, v.account_id, v.options, i.id AS document_id, i.media_id
  FROM document_parts p CROSS JOIN document_versions v ON v.seq = p.version_seq CROSS JOIN items i ON i.seq = v.item_seq`

/** Returns the item number of a document ID. Throws NOT_FOUND. */
export function documentSeq(connection: Connection, id: string): number {
  const row = connection.get<{ seq: number }>(
    'SELECT i.seq FROM items i JOIN documents d ON d.item_seq = i.seq WHERE i.id = ?',
    id,
  )
  if (!row) throw new AppError('NOT_FOUND', 'Document not found')
  return row.seq
}

/** Returns a version's row. Throws NOT_FOUND. */
export function requireVersion(connection: Connection, id: string): VersionRow {
  const row = connection.get<VersionRow>(`${selectVersions} WHERE v.id = ?`, id)
  if (!row) throw new AppError('NOT_FOUND', 'Version not found')
  return row
}

/** Returns a part's row. Throws NOT_FOUND. */
export function requirePart(connection: Connection, id: string): PartRow {
  const row = connection.get<PartRow>(`${selectParts} WHERE p.id = ?`, id)
  if (!row) throw new AppError('NOT_FOUND', 'Part not found')
  return row
}

/** Converts a row to a version. */
export const toVersion = (row: VersionRow): DocumentVersion => ({
  id: row.id,
  documentId: row.document_id,
  number: row.number,
  options: parsed<ParseOptions>(row.options) ?? defaultParseOptions,
  accountId: row.account_id,
  accountName: row.account_name,
  engine: row.engine,
  state: row.state,
  counts: {
    asked: row.asked,
    returned: row.returned,
    failed: row.failed,
    waiting: row.waiting,
    cancelled: row.cancelled,
  },
  calls: row.calls,
  priority: row.priority,
  error: parsed<Failure>(row.error),
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** Converts a row to a part record. */
export const toPart = (row: PartRow): PartRecord => ({
  id: row.id,
  versionId: row.version_id,
  documentId: row.document_id,
  mediaId: row.media_id,
  accountId: row.account_id,
  options: parsed<ParseOptions>(row.options) ?? defaultParseOptions,
  first: row.first_page,
  last: row.last_page,
  bytes: row.bytes,
  state: row.state,
  priority: row.priority,
  attempts: row.attempts,
  failures: row.failures,
  calls: row.calls,
  nextTryAt: row.next_try_at,
  error: parsed<Failure>(row.error),
  surplus: parsed<readonly number[]>(row.surplus) ?? [],
})

/** Converts a row to a page record. */
export const toPage = (row: PageRow): PageRecord => ({
  page: row.page,
  state: row.state,
  blocks: row.blocks,
  raster:
    row.raster_width === null || row.raster_height === null
      ? null
      : { width: row.raster_width, height: row.raster_height },
  error: parsed<Failure>(row.error),
  versionId: row.version_id,
  chosen: row.stands === 2,
  edits: row.edits,
  regime: row.regime,
  layoutPicture: row.layout_picture,
  partId: row.part_id,
})

/** Returns a block's ID, which is derived from its number; numbers are never reused. */
export const blockId = (seq: number): string => `b${seq}`

/** Returns the number in a block ID; null when it is not one. */
export function blockSeq(id: string): number | null {
  const digits = /^b(\d{1,15})$/.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Converts a row to a block. */
export const toBlock = (row: BlockRow): Block => ({
  id: blockId(row.seq),
  page: row.page,
  order: row.place,
  kind: row.kind,
  label: row.label,
  nativeLabel: row.native_label,
  content: row.content,
  edited: row.edited,
  box:
    row.box_left === null ||
    row.box_top === null ||
    row.box_right === null ||
    row.box_bottom === null
      ? null
      : [row.box_left, row.box_top, row.box_right, row.box_bottom],
  raw: parsed<NonNullable<Block['raw']>>(row.raw),
  guessed: row.guessed !== 0,
})

/** Groups ascending page numbers into ranges. */
export function toRanges(pages: Iterable<number>): readonly PartPlan[] {
  const ranges: { first: number; last: number }[] = []
  for (const page of pages) {
    const range = ranges.at(-1)
    if (range && page === range.last + 1) range.last = page
    else ranges.push({ first: page, last: page })
  }
  return ranges
}
