/** What a decoder gives next; pieces are short (about a second), so that memory does not grow with the file. */
export type Decoded =
  /** Samples from -1 to 1, one array a channel, all of one length. */
  | {
      readonly type: 'sound'
      readonly rate: number
      readonly channels: readonly Float32Array<ArrayBuffer>[]
    }
  /** Time without samples: `lost` where damage took them, else because the file has nothing there. */
  | { readonly type: 'silence'; readonly seconds: number; readonly lost: boolean }
  /** Bytes were read and gave nothing yet: a chance to rest, or to stop. */
  | { readonly type: 'nothing' }

/** Reads the sound of one open file from its beginning to its end. */
export interface AudioDecoder {
  /** Length as the file tells it; null when it does not. Only good for showing progress. */
  readonly seconds: number | null
  /** Null at the end. Damage on the way is no error: what can be decoded comes. */
  next(): Promise<Decoded | null>
  close(): Promise<void>
}

/** Rates in Hz that sound is taken with; a header that tells others is damage or no sound. */
export const acceptedRates = { min: 1000, max: 768_000 } as const

/** Channels that are taken; a header that tells more is damage. */
export const maxChannels = 255
