import { engineNotices } from '../../shared/service/engine-notices.ts'
import type { SpeechOutcome } from '../protocol.ts'

/**
 * Mean log-probability below which the words are doubtful. Measured on synthetic speech: 4 of 160 English sentences lie
 * below it, and 58 of 61 in eight other languages do (or give no words at all). That is a hint, not a language detector.
 */
const doubtful = -0.6

/** What the caller asked for that this engine has no use for. */
export interface UnusedOptions {
  readonly prompt: boolean
  readonly hotwords: boolean
  /** The prompt is longer than the API reference recommends. */
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

/** What the engine of this computer could not do for this call, in plain sentences; undefined when there is nothing to say. */
export function noticeOf(outcome: SpeechOutcome, unused: UnusedOptions): string | undefined {
  const sentences = [aboutWords(outcome), aboutOptions(unused)].filter((text) => text !== undefined)
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
