import { fold } from '../../../../../shared/text/fold.ts'
import { plainWords, weightOf, type Word } from '../word-units.ts'

/** Shorter texts are said twice by people as well ("yes, thank you"), in words; a character of Han counts half. */
const minWeight = 4

/** True when the text is what the prompt ends with: the engine read instead of listening (service-notes 17.3). */
export function echoesPrompt(words: readonly Word[], prompt: string): boolean {
  if (weightOf(words) < minWeight) return false
  const given = plainWords(prompt)
  if (given.length < words.length) return false
  const from = given.length - words.length
  return words.every(({ text }, at) => text === given[from + at])
}

/** Fewer hotwords are a sentence anybody may say. */
const minHotwords = 3
/** Share of the text that is hotwords, and of the hotwords that stand in it (OpenWhispr's rule, service-notes 17.3). */
const mostlyHotwords = 0.9
const maxOfTheList = 0.7

/** True when the text is little but the list of hotwords. */
export function echoesHotwords(words: readonly Word[], hotwords: readonly string[]): boolean {
  if (words.length === 0 || hotwords.length < minHotwords) return false
  const listed = hotwords.map((word) => plainWords(fold(word)))
  const known = new Set(listed.flat())
  const spoken = new Set(words.map(({ text }) => text))
  const covered = words.filter(({ text }) => known.has(text)).length
  const used = listed.filter((word) => word.length > 0 && word.every((part) => spoken.has(part)))
  return covered >= words.length * mostlyHotwords && used.length >= hotwords.length * maxOfTheList
}
