/** Numbers of the rule by which speech is cut into segments, in milliseconds and probabilities. */
export const rules = {
  /** Speech begins at this probability, and goes on down to the other one. */
  voice: 0.5,
  silence: 0.35,
  /** No segment is longer. The service takes 30 s; encoders add up to 100 ms. */
  capMs: 29_000,
  /** Sound kept in front of the first voice. */
  padBeforeMs: 250,
  /** And behind the last one: detectors let go before a voice has died away. Both fit into the shortest pause that ends a segment. */
  padAfterMs: 450,
  /** Segments with less voice are noise or a click. */
  minVoiceMs: 250,
  /** At the cap the longest pause of this stretch is taken; of the longer one when the first holds no comfortable pause. */
  lookBackMs: 10_000,
  lookFurtherMs: 15_000,
  comfortableMs: 400,
  /** A pause that may be cut in. */
  minPauseMs: 96,
  /** Without any pause the quietest moment of this stretch is cut in, and the next segment begins this much earlier. */
  forcedLookBackMs: 3_000,
  overlapMs: 896,
} as const

/**
 * Milliseconds of pause that end a segment whose speech is `lengthMs` long and holds `voicedMs` of voice: a beginning waits for a
 * speaker who thinks, a long segment takes the first pause between sentences.
 */
export function pauseThatEnds(lengthMs: number, voicedMs: number): number {
  if (voicedMs < rules.minVoiceMs) return 1_500
  if (lengthMs < 3_000) return 2_000
  if (lengthMs < 8_000) return 1_500
  if (lengthMs < 12_000) return 1_000 - (300 * (lengthMs - 8_000)) / 4_000
  return 700
}
