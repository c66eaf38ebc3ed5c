import type { SampleFix, SampleReport } from '../../../../../shared/model/sample.ts'
import type { Span } from '../../../../../shared/model/meeting.ts'
import type { Failed } from '../../../../platform/workers/failed.ts'

/** File of an archive: a file on the disk, or a text. */
export type PackEntry =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly text: string }

/** Requests to the sample worker. */
export type SampleRequest =
  /** Decodes an audio file of any type into a sample; audio beyond the maximum length is dropped. */
  | { readonly type: 'take'; readonly path: string }
  /** Range of a meeting, from one channel or the mean of all. */
  | {
      readonly type: 'cut'
      readonly folder: string
      readonly channel: number | 'mix'
      readonly span: Span
    }
  /** Analyzes a sample (a mono WAV file, as created by `take`). */
  | { readonly type: 'inspect'; readonly path: string }
  | { readonly type: 'fix'; readonly path: string; readonly fix: SampleFix }
  /** Packs several files into one archive. */
  | { readonly type: 'pack'; readonly entries: readonly PackEntry[] }

/** Responses of the worker. */
export type SampleAnswer =
  /** WAV file, 16 bit, one channel, 24 to 48 kHz. */
  | {
      readonly type: 'made'
      readonly bytes: Uint8Array<ArrayBuffer>
      /** Whether the file continues after the used range. */
      readonly more: boolean
    }
  | { readonly type: 'report'; readonly report: SampleReport }
  | { readonly type: 'packed'; readonly bytes: Uint8Array<ArrayBuffer> }
  | Failed

/** Returns the buffers of a response that are transferred to the other thread. */
export const memoryOf = (answer: SampleAnswer): ArrayBuffer[] =>
  answer.type === 'made' || answer.type === 'packed' ? [answer.bytes.buffer] : []
