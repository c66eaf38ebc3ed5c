/** End of a sentence in scripts with spaces (a stop and a space) and without (the stop alone). */
const sentenceEnd = /[.!?…]["'”’)\]]*(?=\s)|[。！？]["'”’」』）]*/gu

/**
 * Returns how much of a growing text can be announced: everything up to the last finished sentence, or all of it once it is over.
 * The length is in UTF-16 units.
 */
export function readyLength(text: string, over: boolean): number {
  if (over) return text.length
  let ready = 0
  for (const match of text.matchAll(sentenceEnd)) ready = match.index + match[0].length
  return ready
}
