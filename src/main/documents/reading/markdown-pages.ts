/** Comment that begins a page: `<!-- page 3 -->`, `<!-- Page: 3 -->`. */
const pageComment =
  /^[ \t]{0,3}<!--[ \t]{0,9}page[ \t]{0,9}[:=#]?[ \t]{0,9}(\d{1,6})[ \t]{0,9}-->[ \t]*$/gimu

/** Horizontal rule, alone between empty lines. */
const rule = /\n[ \t]*\n[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*\n[ \t]*\n/u

/**
 * Splits Markdown into `count` pages if the text itself marks where pages end: by form feeds, by comments with page
 * numbers, or by exactly as many rules as there are page breaks. Null when pages cannot be separated.
 */
export function markdownPages(markdown: string, count: number): readonly string[] | null {
  if (count === 1) return [markdown]
  return byFormFeeds(markdown, count) ?? byComments(markdown, count) ?? byRules(markdown, count)
}

function byFormFeeds(markdown: string, count: number): readonly string[] | null {
  const pages = markdown.replace(/\f\s*$/u, '').split('\f')
  return pages.length === count ? trimmed(pages) : null
}

function byComments(markdown: string, count: number): readonly string[] | null {
  const marks = Array.from(markdown.matchAll(pageComment))
  const [first] = marks
  if (!first || marks.length !== count || markdown.slice(0, first.index).trim() !== '') return null
  const inOrder = marks.every((mark, at) => Number(mark[1]) === Number(first[1]) + at)
  if (!inOrder) return null
  return trimmed(
    marks.map((mark, at) => markdown.slice(mark.index + mark[0].length, marks[at + 1]?.index)),
  )
}

function byRules(markdown: string, count: number): readonly string[] | null {
  const pages = markdown.split(rule)
  return pages.length === count ? trimmed(pages) : null
}

const trimmed = (pages: readonly string[]): readonly string[] => pages.map((page) => page.trim())
