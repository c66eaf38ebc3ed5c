import { onScopeDispose, shallowRef, watch } from 'vue'
import type { SpeechSegment, SpeechSettings } from '../../../../../shared/model/speech.ts'
import {
  estimateSeconds,
  isSynthesized,
  spokenText,
  splitText,
} from '../../../../../shared/voices/split.ts'

/** Estimate of a narration, before anything is sent. */
export interface SpeechPlan {
  readonly segments: number
  /** Number of characters that are sent. */
  readonly characters: number
  /** Approximate seconds, including pauses. */
  readonly seconds: number
}

/** Estimates a text with settings. */
export function planOf(text: string, settings: SpeechSettings): SpeechPlan {
  const segments = splitText(text, settings.pieceLength).filter((segment) =>
    isSynthesized(segment.text),
  )
  const pauses = segments
    .slice(0, -1)
    .reduce((sum, { paragraph }) => sum + (paragraph ? settings.paragraphMs : settings.pauseMs), 0)
  return {
    segments: segments.length,
    characters: segments.reduce((sum, segment) => sum + spokenText(segment.text).length, 0),
    seconds: estimateSeconds(text) / settings.speed + pauses / 1000,
  }
}

/** Estimates existing segments without splitting them again. */
export function planOfSegments(
  all: readonly Pick<SpeechSegment, 'text' | 'paragraph' | 'state'>[],
  settings: SpeechSettings,
): SpeechPlan {
  const segments = all.filter(({ state }) => state !== 'silent')
  let characters = 0
  let seconds = 0
  for (const [at, { text, paragraph }] of segments.entries()) {
    characters += spokenText(text).length
    seconds += estimateSeconds(text) / settings.speed
    if (at < segments.length - 1)
      seconds += (paragraph ? settings.paragraphMs : settings.pauseMs) / 1000
  }
  return { segments: segments.length, characters, seconds }
}

/** A long text is estimated after this long without typing, in milliseconds. */
const restMs = 150
const longText = 20_000

/** The estimate of a text that is being written. */
export function usePlan(text: () => string, settings: () => SpeechSettings) {
  const plan = shallowRef(planOf(text(), settings()))
  let timer: ReturnType<typeof setTimeout> | undefined
  watch([text, settings], ([now, chosen]) => {
    clearTimeout(timer)
    if (now.length < longText) plan.value = planOf(now, chosen)
    else timer = setTimeout(() => (plan.value = planOf(now, chosen)), restMs)
  })
  onScopeDispose(() => clearTimeout(timer))
  return plan
}
