/** Maximum text length accepted for one segment, in UTF-16 units: ten times what anyone says in half a minute. */
export const maxTextLength = 10_000

/** Control characters and text direction controls: they cannot be spoken, and change how other words are displayed. */
const unspoken = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Sanitizes an answer for the transcript: unspeakable characters become spaces, and text too long for the time is cut off. */
export const spokenText = (text: string): string =>
  text.slice(0, maxTextLength).toWellFormed().replace(unspoken, ' ').trim()
