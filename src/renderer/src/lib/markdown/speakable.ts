import createMarkdown, { type Token } from 'markdown-it'
import { withoutMarks } from '../../../../shared/chats/references.ts'
import { formulaMessages } from './formula-messages.ts'
import { addMath } from './stream/math-rules.ts'

/** Replacements for unspeakable content. */
interface SpeakableLabels {
  readonly code: string
  readonly formula: string
}

const han = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u
/** Punctuation that already ends a sentence, or continues it. */
const ended = /[.!?…。！？：:；;，,]["'”’」』）)\]]*$/u
/** Citation marks: `[12]`, `[3, 5–7]`, `[^note]`. */
const citation = /[ \t]?\[(?:\^[^\]\s]{1,40}|\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\](?![(:])/g
const address = /\b(?:https?:\/\/|www\.)[^\s<>"'（）()，。；]+[^\s<>"'（）()，。；.,;:!?]/giu

let parser: ReturnType<typeof createMarkdown> | null = null
const parserOf = (): ReturnType<typeof createMarkdown> => {
  if (parser) return parser
  parser = createMarkdown({ html: true, linkify: false })
  addMath(parser)
  return parser
}

/**
 * Converts Markdown to plain text that a voice reads well: headings and items become sentences, as do table rows, with their
 * column headers; links are read as their text, URLs as their site; code and long formulas are replaced by a name; citation marks
 * are removed.
 */
export function speakable(markdown: string, words: SpeakableLabels): string {
  const tokens = parserOf().parse(withoutMarks(markdown).replaceAll('\r\n', '\n'), {})
  const parts: string[] = []
  const put = (text: string, isSentence = false): void => {
    const plain = tidy(text)
    if (plain === '') return
    parts.push(isSentence && !ended.test(plain) ? `${plain}${stopOf(plain)}` : plain)
  }
  let head = ''
  for (const [at, token] of tokens.entries()) {
    head = token.type.endsWith('_open') ? token.type : head
    if (token.type === 'table_open') for (const row of rowsOf(tokens, at, words)) put(row, true)
    else if (token.type === 'fence' || token.type === 'code_block') put(words.code, true)
    else if (token.type === 'math') put(formulaMessages(token.content) ?? words.formula, true)
    else if (token.type === 'html_block') for (const row of htmlRows(token.content)) put(row, true)
    else if (token.type === 'inline' && !inTable(tokens, at))
      put(inlineText(token, words), head === 'heading_open' || isItem(tokens, at))
  }
  return parts.join('\n\n')
}

const stopOf = (text: string): string => (han.test(text) ? '。' : '.')

const isItem = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 2]?.type === 'list_item_open' || tokens[at - 1]?.type === 'list_item_open'

const inTable = (tokens: readonly Token[], at: number): boolean =>
  /^t[hd]_open$/.test(tokens[at - 1]?.type ?? '')

/** The text of a line: without citation marks, links by their names, formulas if they are speakable. */
function inlineText(token: Token, words: SpeakableLabels): string {
  const parts: string[] = []
  for (const child of token.children ?? []) {
    if (child.type === 'text' || child.type === 'code_inline') parts.push(child.content)
    else if (child.type === 'softbreak') parts.push(' ')
    else if (child.type === 'hardbreak') parts.push('\n')
    else if (child.type === 'image') parts.push(child.content)
    else if (child.type === 'math') parts.push(formulaMessages(child.content) ?? words.formula)
    else if (child.type === 'html_inline' && /^<br\b/i.test(child.content)) parts.push('\n')
  }
  return parts.join('')
}

const tidy = (text: string): string =>
  text
    .replace(citation, '')
    .replace(address, siteOf)
    .replace(/[^\S\n]+/g, ' ')
    // Chinese text is broken by page width, not between words.
    .replace(/(?<=[\p{sc=Han}，。；：、]) (?=\p{sc=Han})/gu, '')
    .replace(/ ?\n ?/g, '\n')
    .trim()

/** The site of a URL: `https://www.example.com/a/b?c` becomes `example.com`. */
function siteOf(url: string): string {
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/?#:]+)/i.exec(url)?.[1]
  return host ?? url
}

/** Table rows as sentences: each cell after its column header. */
function rowsOf(tokens: readonly Token[], from: number, words: SpeakableLabels): readonly string[] {
  const rows: string[][] = []
  for (let at = from + 1; at < tokens.length && tokens[at]?.type !== 'table_close'; at++) {
    const token = tokens[at]
    if (token?.type === 'tr_open') rows.push([])
    else if (token?.type === 'inline') rows.at(-1)?.push(inlineText(token, words))
  }
  return speakableRows(rows, true)
}

function speakableRows(rows: readonly (readonly string[])[], headed: boolean): readonly string[] {
  const [heads = [], ...rest] = rows
  const body = headed && rest.length > 0 ? rest : rows
  return body.map((cells) => {
    const cellTexts = cells.flatMap((cell, column) => {
      const text = tidy(cell)
      const head = body === rows ? '' : tidy(heads[column] ?? '')
      const colon = han.test(head) ? '：' : ': '
      return text === '' ? [] : [head === '' ? text : `${head}${colon}${text}`]
    })
    return cellTexts.join(cellTexts.some((cell) => han.test(cell)) ? '；' : '; ')
  })
}

/** HTML of a document: its table rows, else its text. */
function htmlRows(html: string): readonly string[] {
  const rows = [...html.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/gi)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/gi)].map(([, cell = '']) => plain(cell)),
  )
  if (rows.length > 0) return speakableRows(rows, true)
  return plain(html).split('\n')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }
const plain = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<br\b[^>]*>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d{1,6});/g, (_, code: string) =>
      String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => named[name] ?? ' ')
