import MarkdownIt from 'markdown-it'
import type { TextBlock } from './blocks.ts'
import { htmlBlocks } from './html.ts'

const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false })

/** Maximum number of characters of a list in one block. */
const listChars = 2_000

/**
 * Returns the blocks of a Markdown text as they are written; tables, and HTML inside of it, as those of a web page. Metadata at
 * the beginning is no text.
 */
export function markdownBlocks(source: string): readonly TextBlock[] {
  const text = source.replace(/^---[ \t]*\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|$)/, '')
  const lines = text.split('\n')
  const tokens = markdown.parse(text, {})
  const linesOf = ([from, to]: readonly [number, number]): string =>
    lines.slice(from, to).join('\n').replace(/\s+$/, '')
  const blocks: TextBlock[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.level !== 0 || !token.map || token.nesting < 0) continue
    const content = linesOf(token.map)
    switch (token.type) {
      case 'heading_open': {
        const title = tokens[at + 1]?.content ?? ''
        if (title !== '') blocks.push({ kind: 'title', content: `${signsOf(token.tag)} ${title}` })
        break
      }
      case 'table_open':
      case 'html_block':
        blocks.push(...htmlBlocks(markdown.render(content)))
        break
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const items: string[] = []
        for (let next = at + 1; tokens[next] && tokens[next]?.level !== 0; next++) {
          const item = tokens[next]
          if (item?.type === 'list_item_open' && item.level === 1 && item.map)
            items.push(linesOf(item.map))
        }
        blocks.push(...listsOf(items))
        break
      }
      case 'hr':
        break
      default:
        if (content.trim() !== '') blocks.push({ kind: 'text', content })
    }
  }
  return blocks
}

const signsOf = (tag: string): string => '#'.repeat(Number(tag.slice(1)) || 1)

function listsOf(items: readonly string[]): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let chars = 0
  for (const [at, item] of items.entries()) {
    lines.push(item)
    chars += item.length
    if (chars < listChars && at + 1 < items.length) continue
    blocks.push({ kind: 'list', content: lines.join('\n') })
    lines = []
    chars = 0
  }
  return blocks
}
