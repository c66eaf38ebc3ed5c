/** Longest text that is believed of one segment, in UTF-16 units: ten times what anybody says in half a minute. */
export const maxTextLength = 10_000

/** Control characters, and those that turn the direction of what follows: nobody speaks them, and they change how other words read. */
const unspoken = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** An answer as words of the transcript: what cannot be spoken is a space, and what no one can say in the time is cut off. */
export const spokenText = (text: string): string =>
  text.slice(0, maxTextLength).toWellFormed().replace(unspoken, ' ').trim()
