/** Most words of a search that are looked for. */
const mostWords = 8

/** Patterns for `LIKE … ESCAPE '\'`, one for each word of a search: all of them must fit. */
export const likeWords = (query: string): readonly string[] =>
  query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
