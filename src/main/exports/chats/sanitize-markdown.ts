import { referenceMarks } from '../../../shared/chat/references.ts'
import { cleanText } from '../documents/content/clean.ts'
import { cutOpaque } from '../documents/content/opaque.ts'
import { isInert } from './is-sanitized.ts'

/**
 * Sanitizes Markdown so that nothing in it is active when it is opened: tags outside of code are escaped, images become
 * links, URLs lead to the web or nowhere, and code that is never closed ends with the text. `footnote` returns the
 * replacement of a citation. What is still active then is shown verbatim.
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

/** Escapes plain text: nothing in it becomes markup. */
export const plainMarkdown = (text: string): string =>
  cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~#$&]/g, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`)
    .replace(/^[-+=]/, String.raw`\$&`)

/** Returns a YAML string, always in double quotes: JSON strings are YAML strings. */
export const yamlText = (text: string): string => JSON.stringify(cleanText(text))

/** Returns a code block for any text: the fence is longer than any in it. */
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

/** Text before a URL, and the URL: of a link, and of a definition that links refer to. */
const linkAddress = /(\]\(\s*<?|^[ \t>]*\[[^\]\n]{1,500}\]:\s*<?)([^\s)>]*)/gim

/**
 * Whether a URL has no scheme in any notation (entities and backslashes can encode one too), or is a web URL without a
 * user name before the host, or a mail address.
 */
const leadsSomewhere = (address: string): boolean =>
  /^(?:https?:\/\/(?![^/?#]*@)|mailto:)/i.test(address) || /^[^:&\\/?#]*(?:[/?#]|$)/.test(address)

/**
 * Returns LaTeX that contains no tag, image or link for Markdown readers without formulas; the added spaces mean nothing
 * in it.
 */
const quietTex = (tex: string): string => tex.replace(/<(?=[a-z/!?])|!(?=\[)|\](?=[([])/gi, '$& ')

/** Returns the text with its last fence closed, so that what follows is not code. */
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
