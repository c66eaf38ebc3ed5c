import { engineNotices } from '../../shared/provider/engine-notices.ts'
import type { SpeechOutcome } from '../protocol.ts'

/**
 * Mean log-probability below which the text is doubtful. Measured on synthetic speech: 4 of 160 English sentences are
 * below it, and 58 of 61 in eight other languages are below it or yield no text. This is a hint, not a language
 * detector.
 */
const doubtful = -0.6

/** Requested options that this engine does not support. */
interface UnusedOptions {
  readonly prompt: boolean
  readonly hotwords: boolean
  /** Whether the prompt is longer than the API reference recommends. */
  readonly longPrompt: boolean
}

function aboutWords(outcome: SpeechOutcome): string | undefined {
  if (outcome.silent) return engineNotices.silent
  if (outcome.text === '') return engineNotices.noWords
  if (outcome.endless || (outcome.confidence ?? 0) < doubtful) return engineNotices.uncertain
  return undefined
}

function aboutOptions({ prompt, hotwords, longPrompt }: UnusedOptions): string | undefined {
  const length = longPrompt ? ` ${engineNotices.promptLong}` : ''
  if (prompt && hotwords) return engineNotices.optionsUnused + length
  if (prompt) return engineNotices.promptUnused + length
  if (hotwords) return engineNotices.hotwordsUnused
  return undefined
}

/**
 * Describes in plain sentences what the engine could not do for this request; undefined if there is nothing to report.
 */
export function noticeOf(outcome: SpeechOutcome, unused: UnusedOptions): string | undefined {
  const sentences = [aboutWords(outcome), aboutOptions(unused)].filter((text) => text !== undefined)
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
