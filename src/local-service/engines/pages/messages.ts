import type { PageKind, ReadPage } from '../pages.ts'

/** Start data of the page worker (`workerData`). */
export interface PageWorkerData {
  readonly modelsDir: string
}

/** Request to the page worker. `bytes` is the whole file. */
export type PageRequest =
  | { readonly work: 'count'; readonly bytes: Uint8Array<ArrayBuffer>; readonly kind: PageKind }
  | {
      readonly work: 'read'
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly kind: PageKind
      readonly from?: number
      readonly to?: number
      readonly crops: boolean
      readonly visualise: boolean
    }

/** Finished page, or a sign of progress. */
export type PageProgress = { readonly page: ReadPage } | 'working'

/** Result of a job, except its pages. */
export interface PageOutcome {
  readonly pageCount: number
}

/** Problems specific to this engine. */
export type PageProblem = 'damaged' | 'encrypted' | 'no-such-page'
