import { fold } from '../../../../../shared/text/fold.ts'
import { plainWords, weightOf, type Word } from '../word-units.ts'

/** Minimum length in words: people also repeat shorter texts ("yes, thank you"); a Han character counts half. */
const minWeight = 4

/** Whether the text is the end of the prompt: the engine repeated it instead of transcribing (service-notes 17.3). */
export function echoesPrompt(words: readonly Word[], prompt: string): boolean {
  if (weightOf(words) < minWeight) return false
  const given = plainWords(prompt)
  if (given.length < words.length) return false
  const from = given.length - words.length
  return words.every(({ text }, at) => text === given[from + at])
}

/** Minimum number of hotwords: anyone may say fewer in a sentence. */
const minHotwords = 3
/** Share of hotwords in the text, and share of the hotword list in the text (OpenWhispr's rule, service-notes 17.3). */
const mostlyHotwords = 0.9
const maxOfTheList = 0.7

/** Whether the text is little more than the list of hotwords. */
export function echoesHotwords(words: readonly Word[], hotwords: readonly string[]): boolean {
  if (words.length === 0 || hotwords.length < minHotwords) return false
  const listed = hotwords.map((word) => plainWords(fold(word)))
  const known = new Set(listed.flat())
  const spoken = new Set(words.map(({ text }) => text))
  const covered = words.filter(({ text }) => known.has(text)).length
  const used = listed.filter((word) => word.length > 0 && word.every((part) => spoken.has(part)))
  return covered >= words.length * mostlyHotwords && used.length >= hotwords.length * maxOfTheList
}
