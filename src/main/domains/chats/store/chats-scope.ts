/** Prefix of index tokens that are not words of a text: no typed text is tokenized to it. */
const mark = '\u{e000}'

/** Returns the index tokens that narrow a search for a message: responder, year and month (UTC). */
export function scopeTokens(message: {
  readonly who: string
  readonly created_at: number
}): string {
  const date = new Date(message.created_at)
  return [
    responderToken(message.who),
    yearToken(date.getUTCFullYear()),
    monthToken(date.getUTCFullYear(), date.getUTCMonth()),
  ].join(' ')
}

/** Returns the token of an assistant or of the agent: letters and digits for any ID. */
export const responderToken = (who: string): string => `${mark}w${Buffer.from(who).toString('hex')}`
/** Returns the token of a year. */
export const yearToken = (year: number): string => `${mark}y${year + 10_000}`
/** Returns the token of a month, from 0. */
export const monthToken = (year: number, month: number): string =>
  `${mark}m${year + 10_000}x${month}`
