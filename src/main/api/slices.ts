import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** Where a slice stands on its page: distances from the left and top edge in the page's own units (service-notes 11). */
export interface SlicePosition {
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  /** As sent; whether it counts from 0 or 1 is not documented. */
  readonly page: number
  readonly height: number
  readonly width: number
}

/** The slices of one document behind an answer (spec 4.12). */
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

/** Citation positions (spec 4.12). */
export interface SlicesApi {
  /** `POST /llm-application/open/v2/application/slice_info`. Safe to repeat. */
  positions(
    target: ServiceTarget,
    /** The id of the conversation or text request the answer came from, and its node. */
    request: { readonly askedId: string; readonly nodeId: string },
    options: CallOptions,
  ): Promise<
    Answered<{ readonly documents: readonly DocumentSlices[]; readonly hasOldDocument: boolean }>
  >
}

/** Builds the family over the parts every call is made of. */
export function createSlices(parts: CallParts): SlicesApi {
  return notBuilt(parts)
}
