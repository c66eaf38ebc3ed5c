/** Returns the comment that marks the start of a page in a text of several. */
export const pageMark = (page: number): string => `<!-- page ${page} -->`

/** Returns the page that begins on a line; null if the line is not a page mark. */
export function markedPage(line: string): number | null {
  const page =
    /^[ \t]{0,3}<!--[ \t]{0,9}page[ \t]{0,9}[:=#]?[ \t]{0,9}(\d{1,6})[ \t]{0,9}-->[ \t]*$/i.exec(
      line,
    )?.[1]
  return page === undefined ? null : Number(page)
}
