import type { PageKind, ReadPage } from '../pages.ts'

/** What the page worker is started with (`workerData`). */
export interface PageWorkerData {
  readonly modelsDir: string
}

/** What it is asked. `bytes` is the whole file. */
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

/** A page that was read, or a sign of life on the way to it. */
export type PageProgress = { readonly page: ReadPage } | 'working'

/** What a job comes to, beside its pages. */
export interface PageOutcome {
  readonly pageCount: number
}

/** Troubles of this engine, beside those of every engine. */
export type PageProblem = 'damaged' | 'encrypted' | 'no-such-page'
