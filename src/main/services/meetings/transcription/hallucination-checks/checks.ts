import type { Flag, Span } from '../../../../../shared/model/meeting.ts'
import { wordsOf } from '../word-units.ts'
import { echoesHotwords, echoesPrompt } from './echoes.ts'
import { deflatesTooWell, repeatsItself } from './loop.ts'
import { isStockPhrase } from './stock-phrases.ts'
import { isTooFast } from './speech-rate.ts'

/** Data for checking an answer. */
export interface Evidence {
  readonly text: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly voicedMs: number
}

/** Returns the flags of an answer with text; most have none. */
export function checkText({ text, prompt, hotwords, voicedMs }: Evidence): readonly Flag[] {
  const words = wordsOf(text)
  const flags: Flag[] = []
  if (repeatsItself(words) || deflatesTooWell(text)) flags.push('loop')
  if (isTooFast(text, voicedMs)) flags.push('too-fast')
  if (echoesPrompt(words, prompt)) flags.push('prompt-echo')
  if (echoesHotwords(words, hotwords)) flags.push('hotword-echo')
  if (isStockPhrase(text)) flags.push('describes-silence')
  return flags
}

/** Milliseconds of voice in a range; all of it if no voice activity is known. */
export function voicedMsOf(span: Span, voiced: readonly Span[]): number {
  const inside = voiced.reduce(
    (sum, { startMs, endMs }) =>
      sum + Math.max(0, Math.min(endMs, span.endMs) - Math.max(startMs, span.startMs)),
    0,
  )
  return inside > 0 ? inside : span.endMs - span.startMs
}
