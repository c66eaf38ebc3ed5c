/** Parameters for cutting speech into segments, in milliseconds and probabilities. */
export const rules = {
  /** Speech begins at the first probability, and continues down to the second. */
  voice: 0.5,
  silence: 0.35,
  /** Maximum length of a segment. The provider accepts 30 s; encoders add up to 100 ms. */
  capMs: 29_000,
  /** Audio included before the first voice. */
  padBeforeMs: 250,
  /**
   * Audio included after the last voice: detectors stop before a voice fades. Both fit into the shortest pause that ends a
   * segment.
   */
  padAfterMs: 450,
  /** Pause after which a sentence has probably ended. */
  sentencePauseMs: 250,
  /** Segments with less voice are noise or a click. */
  minVoiceMs: 250,
  /** At the maximum length the longest pause of this range is used; of the longer range if the first has no comfortable pause. */
  lookBackMs: 10_000,
  lookFurtherMs: 15_000,
  comfortableMs: 400,
  /** Minimum length of a pause for a cut. */
  minPauseMs: 96,
  /** Without a pause the cut is at the quietest moment of this range, and the next segment begins this much earlier. */
  forcedLookBackMs: 3_000,
  overlapMs: 896,
} as const

/**
 * Returns the milliseconds of pause that end a segment whose speech is `lengthMs` long and contains `voicedMs` of voice: a short
 * one waits for a speaker who thinks, a long one ends at the first pause between sentences.
 */
export function pauseThatEnds(lengthMs: number, voicedMs: number): number {
  if (voicedMs < rules.minVoiceMs) return 1_500
  if (lengthMs < 3_000) return 2_000
  if (lengthMs < 8_000) return 1_500
  if (lengthMs < 12_000) return 1_000 - (300 * (lengthMs - 8_000)) / 4_000
  return 700
}
