import { referenceMarks } from '../../../shared/chat/references.ts'
import { cleanText } from '../documents/content/clean.ts'
import { cutOpaque } from '../documents/content/opaque.ts'
import { isInert } from './is-sanitized.ts'

/**
 * Markdown as it was written, but that nothing in it acts where it is opened: tags outside of code are words, pictures are links,
 * addresses lead to the web or nowhere, and code that is never closed ends with the text. `footnote` says what a mark becomes. What
 * still acts then is shown letter by letter.
 */
export function inertMarkdown(
  text: string,
  words: { readonly image: string },
  footnote: (number: number) => string,
): string {
  const { text: open, mark, fragments } = cutOpaque(cleanText(text), 'code')
  const parts: string[] = []
  let from = 0
  for (const { start, end, numbers } of referenceMarks(open)) {
    parts.push(inertProse(open.slice(from, start), words), numbers.map(footnote).join(''))
    from = end
  }
  parts.push(inertProse(open.slice(from), words))
  const whole = parts
    .join('')
    .replace(new RegExp(`${mark}(\\d+)${mark}`, 'g'), (all, at: string) => {
      const fragment = fragments[Number(at)]
      if (!fragment) return all
      if (fragment.node.type === 'formula') return quietTex(fragment.source)
      return fragment.node.type === 'placeholder' ? `[${words.image}]` : fragment.source
    })
  const closed = closedFence(whole)
  return isInert(closed) ? closed : codeBlock(text, '')
}

/** Words as words: nothing in them becomes markup. */
export const plainMarkdown = (text: string): string =>
  cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~#$&]/g, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`)
    .replace(/^[-+=]/, String.raw`\$&`)

/** A string of YAML, always in double quotes: strings of JSON are strings of YAML. */
export const yamlText = (text: string): string => JSON.stringify(cleanText(text))

/** A block of code whatever its text holds: the fence is longer than any in it. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${cleanText(text)}\n${fence}`
}

const inertProse = (text: string, words: { readonly image: string }): string =>
  text
    .replace(
      /<(?!(?:https?:\/\/(?![^\s<>/?#\\]{0,2000}@)|mailto:)[^\s<>]{1,2000}>)(?=[a-z/!?])/gi,
      '&lt;',
    )
    .replace(/!\[\]/g, `[${words.image}]`)
    .replace(/!\[/g, '[')
    .replace(linkAddress, (all, before: string, address: string) =>
      leadsSomewhere(address) ? all : `${before}unsafe:${address}`,
    )

/** What stands in front of an address, and the address: of a link, and of a definition that links refer to. */
const linkAddress = /(\]\(\s*<?|^[ \t>]*\[[^\]\n]{1,500}\]:\s*<?)([^\s)>]*)/gim

/** No scheme, however it is spelled (entities and backslashes spell one too), but those of the web, without a name before the host, and of mail. */
const leadsSomewhere = (address: string): boolean =>
  /^(?:https?:\/\/(?![^/?#]*@)|mailto:)/i.test(address) || /^[^:&\\/?#]*(?:[/?#]|$)/.test(address)

/** LaTeX in which nothing is a tag, a picture or a link, for readers of Markdown that know no formulas; the spaces mean nothing in it. */
const quietTex = (tex: string): string => tex.replace(/<(?=[a-z/!?])|!(?=\[)|\](?=[([])/gi, '$& ')

/** The text with its last fence closed, so that what follows is no code. */
function closedFence(text: string): string {
  let open: string | null = null
  for (const [line] of text.matchAll(
    /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,}).*$/gm,
  )) {
    const [, run = '', rest = ''] = /(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === null) {
      if (!run.startsWith('`') || !rest.includes('`')) open = run
    } else if (run.startsWith(open) && rest.trim() === '') open = null
  }
  return open === null ? text : `${text.replace(/\n+$/, '')}\n${open}`
}
