/** Most words of a search that are looked for. */
const maxWords = 8

/** Patterns for `LIKE … ESCAPE '\'`, one for each word of a search: all of them must fit. */
export const likePattern = (query: string): readonly string[] =>
  query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
