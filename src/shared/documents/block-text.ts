import type { Block } from '../model/document.ts'

/** Inline tags, which are removed without a replacement. */
const inline = /<\/?(?:a|b|em|font|i|s|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi
const tag = /<\/?[a-z][^<>]*>|<!--[^<>]*-->/gi
/**
 * Image syntax; never scans past the start of another image, so that a text full of starts is read only once.
 */
const imagePattern = /!\[([^[\]\n]*)\]\((?:data:[^\s()]*|(?:[^()\n]|\([^()\n]{0,400}\)){0,4096})\)/g
/** Heading markers, which are not part of the text. */
const headingSigns = /^\s*#{1,6}[ \t]+/
const address = /^\s*(?:https?:|data:|file:)\S*\s*$/i

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/**
 * Maximum number of characters of one block that are searched (hundreds of book pages), because they are written and
 * searched at once.
 */
const maxSearched = 1_000_000

/**
 * Returns the text of a block for search and lists: the cells of a table, the description of an image, the LaTeX of a
 * formula. The user's own text takes precedence over the returned one. At most the first million characters.
 */
export const blockText = (block: Pick<Block, 'kind' | 'content' | 'edited'>): string =>
  wordsOf(block).slice(0, maxSearched)

function wordsOf(block: Pick<Block, 'kind' | 'content' | 'edited'>): string {
  const text = block.edited ?? block.content
  if (block.kind === 'formula') return text
  if (address.test(text)) return ''
  const plain = text.replace(headingSigns, '')
  const seen = plain.includes('![') ? plain.replace(imagePattern, '$1') : plain
  if (!seen.includes('<') && !seen.includes('&')) return seen
  return decoded(seen.replace(inline, '').replace(tag, ' '))
    .replace(/[ \t]+/g, ' ')
    .trim()
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
