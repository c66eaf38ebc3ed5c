import type { Block } from '../model/document.ts'

/** Tags that stand inside a word: nothing is put in their place. */
const inline = /<\/?(?:a|b|em|font|i|s|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi
const tag = /<\/?[a-z][^<>]*>|<!--[^<>]*-->/gi
/** No sign that begins a picture is read past on the way to the end of another: a text full of beginnings is read once. */
const imagePattern = /!\[([^[\]\n]*)\]\((?:data:[^\s()]*|(?:[^()\n]|\([^()\n]{0,400}\)){0,4096})\)/g
/** What makes a line a heading is no word of it. */
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

/** Characters of one block that are searched, hundreds of pages of a book: they are written and looked through in one go. */
const maxSearched = 1_000_000

/**
 * The words of a block as they are searched and shown in a list: of a table its cells, of a picture its description, of a formula
 * its LaTeX. The reader's own text goes before the returned one. Of a text beyond any page its first million characters.
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
