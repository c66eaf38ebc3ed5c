import type { SampleFix, SampleReport } from '../../../shared/model/sample.ts'
import type { Span } from '../../../shared/model/meeting.ts'
import type { Failed } from '../failed.ts'

/** A file of an archive: one that lies on the disk, or a text. */
export type PackEntry =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly text: string }

/** Requests to the worker of samples. */
export type SampleRequest =
  /** Decodes a sound file of any kind into a sample; what is longer than is kept is left out. */
  | { readonly type: 'take'; readonly path: string }
  /** A stretch of a meeting, of one channel or the mean of all. */
  | {
      readonly type: 'cut'
      readonly folder: string
      readonly channel: number | 'mix'
      readonly span: Span
    }
  /** Looks through a sample (a wav file of one channel, as `take` makes them). */
  | { readonly type: 'look'; readonly path: string }
  | { readonly type: 'fix'; readonly path: string; readonly fix: SampleFix }
  /** One archive of several files. */
  | { readonly type: 'pack'; readonly entries: readonly PackEntry[] }

/** Its answers. */
export type SampleAnswer =
  /** A wav file, 16 bit, one channel, 24 to 48 kHz. */
  | {
      readonly type: 'made'
      readonly bytes: Uint8Array<ArrayBuffer>
      /** The file goes on behind what was taken. */
      readonly more: boolean
    }
  | { readonly type: 'report'; readonly report: SampleReport }
  | { readonly type: 'packed'; readonly bytes: Uint8Array<ArrayBuffer> }
  | Failed

/** Memory of an answer that moves to the other thread. */
export const memoryOf = (answer: SampleAnswer): ArrayBuffer[] =>
  answer.type === 'made' || answer.type === 'packed' ? [answer.bytes.buffer] : []
