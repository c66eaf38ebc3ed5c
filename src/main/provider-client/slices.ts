import type { CallParts } from './call.ts'
import { imagesOf } from './document-replies.ts'
import { endpointsOf } from './json-call.ts'
import { dataOf } from './knowledge-replies.ts'
import {
  requireMaxRows,
  flagIn,
  malformed,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  type JsonRecord,
} from './lenient.ts'
import { requireSome } from './request-limits.ts'

/**
 * Position of a slice on its page: distances from the left and top edge in the page's own units (service-notes 11).
 */
interface SlicePosition {
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  /** As sent; whether it counts from 0 or 1 is not documented. */
  readonly page: number
  readonly height: number
  readonly width: number
}

/** The slices of one document behind an answer (service-notes 11). */
export interface DocumentSlices {
  readonly document: {
    readonly id: string
    readonly name: string
    readonly url: string | null
    readonly dtype: number | null
  }
  readonly slices: readonly {
    readonly documentId: string
    readonly text: string
    /** Null for sheets and for slices without one. */
    readonly position: SlicePosition | null
    readonly line: number | null
    readonly sheetName: string | null
  }[]
  readonly hidePositions: boolean
  readonly images: readonly { readonly text: string; readonly url: string }[]
}

/** Citation positions (service-notes 11). */
export type SlicesApi = ReturnType<typeof createSlices>

export function createSlices(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  return {
    /**
     * `POST /llm-application/open/v2/application/slice_info` for the ID of the conversation or text request the answer belongs
     * to, and its node. Safe to repeat.
     */
    positions: endpoint(
      'slices.positions',
      ({ askedId, nodeId }: { readonly askedId: string; readonly nodeId: string }) => {
        requireSome('request_id', askedId)
        requireSome('node_id', nodeId)
        return {
          path: '/llm-application/open/v2/application/slice_info',
          json: () => ({ request_id: askedId, node_id: nodeId }),
          read: readPositions,
        }
      },
    ),
  }
}

/** Maximum number of documents behind an answer, and of slices per document. */
const maxDocuments = 1000
const maxSlices = 5000

/** Reads a response with citation positions, including a stored one. Throws MALFORMED_REPLY without its data. */
export function readPositions(json: unknown): {
  readonly documents: readonly DocumentSlices[]
  readonly hasOldDocument: boolean
} {
  const data = recordFrom(dataOf(json))
  if (!data) throw malformed('no-data')
  return {
    documents: requireMaxRows(recordsFrom(data['document_slices']), maxDocuments).map(documentOf),
    hasOldDocument: flagIn(data, 'has_old_document'),
  }
}

function documentOf(row: JsonRecord): DocumentSlices {
  const about = recordFrom(row['document']) ?? {}
  const id = textIn(about, 'id') ?? ''
  return {
    document: {
      id,
      name: textIn(about, 'name') ?? '',
      url: textIn(about, 'url'),
      dtype: numberIn(about, 'dtype'),
    },
    slices: requireMaxRows(recordsFrom(row['slice_info']), maxSlices).map((slice) => ({
      documentId: textIn(slice, 'document_id') ?? id,
      text: textIn(slice, 'text') ?? '',
      position: positionOf(recordsFrom(slice['position'])[0] ?? {}),
      line: numberIn(slice, 'line'),
      sheetName: textIn(slice, 'sheet_name'),
    })),
    hidePositions: flagIn(row, 'hide_positions'),
    images: imagesOf(row['images']),
  }
}

/** Returns null for a box that lacks a number, since it cannot be drawn. */
function positionOf(row: JsonRecord): SlicePosition | null {
  const [x0, x1, top, bottom] = ['x0', 'x1', 'top', 'bottom'].map((name) => numberIn(row, name))
  const [page, height, width] = ['page', 'height', 'width'].map((name) => numberIn(row, name))
  const there = (value: number | null | undefined): value is number => typeof value === 'number'
  if (!there(x0) || !there(x1) || !there(top) || !there(bottom)) return null
  if (!there(page) || !there(height) || !there(width)) return null
  return { x0, x1, top, bottom, page, height, width }
}
