/** Maximum number of search words. */
const maxWords = 8

/** Returns a pattern for `LIKE … ESCAPE '\'` for each search word: all must match. */
export const likePattern = (query: string): readonly string[] =>
  query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
