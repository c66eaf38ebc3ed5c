/** Begins every token of the index that is no word of a text: nothing that is typed is cut into such a token. */
const mark = '\u{e000}'

/** Where a message belongs, as the tokens of the index by which searches are narrowed: who answers, its year and its month (UTC). */
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

/** The token of an assistant, or of the agent: letters and digits whatever the id is made of. */
export const responderToken = (who: string): string => `${mark}w${Buffer.from(who).toString('hex')}`
/** The token of a year. */
export const yearToken = (year: number): string => `${mark}y${year + 10_000}`
/** The token of a month, from 0. */
export const monthToken = (year: number, month: number): string =>
  `${mark}m${year + 10_000}x${month}`
