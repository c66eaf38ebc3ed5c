/** Limits of spec section 8 that are checked before sending. Sizes in bytes, lengths in characters (UTF-16 units), time in seconds. */
export const limits = {
  requestId: { min: 6, max: 64 },
  userId: { min: 6, max: 128 },
  transcription: { bytes: 25 * 1024 * 1024, seconds: 30, hotwords: 100, promptChars: 8000 },
} as const

/** The shape of {@link limits} with plain numbers: a profile may widen it, since hosts of the same interface differ. */
export type Limits = {
  readonly requestId: { readonly min: number; readonly max: number }
  readonly userId: { readonly min: number; readonly max: number }
  readonly transcription: {
    readonly bytes: number
    readonly seconds: number
    readonly hotwords: number
    readonly promptChars: number
  }
}
