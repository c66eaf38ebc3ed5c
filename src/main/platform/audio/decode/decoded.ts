/** Next output of a decoder, a short block (about a second), so that memory does not grow with the file. */
export type Decoded =
  /** Samples from -1 to 1, one array per channel, all of the same length. */
  | {
      readonly type: 'sound'
      readonly rate: number
      readonly channels: readonly Float32Array<ArrayBuffer>[]
    }
  /** Time without samples: `lost` if they were damaged, otherwise because the file contains none. */
  | { readonly type: 'silence'; readonly seconds: number; readonly lost: boolean }
  /** Bytes were read but produced no output yet: an opportunity to pause or stop. */
  | { readonly type: 'nothing' }

/** Reads the audio of one open file from its beginning to its end. */
export interface AudioDecoder {
  /** Duration as reported by the file; null if it reports none. Only suitable for showing progress. */
  readonly seconds: number | null
  /** Returns null at the end. Damage is not an error: everything that can be decoded is returned. */
  next(): Promise<Decoded | null>
  close(): Promise<void>
}

/** Supported sample rates in Hz; a header with any other means damage or no audio. */
export const acceptedRates = { min: 1000, max: 768_000 } as const

/** Maximum number of channels; a header with more means damage. */
export const maxChannels = 255
