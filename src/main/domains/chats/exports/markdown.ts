import { withShownMarks, referenceMarks } from '../../../../shared/chats/references.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { cleanText, escapeHtml } from '../../../platform/export-files/clean.ts'
import { cutOpaque } from '../../../platform/export-files/opaque.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import {
  citedSources,
  reportedAttachment,
  reportedStep,
  type ReportedSource,
  type ReportedStep,
} from './chat-outline.ts'
import { answererName, chatLabels, shortTime, type ChatLabels } from './labels.ts'
import type { ChatHead, ChatOptions, ChatWriter } from './chat-export-types.ts'
import MarkdownIt, { type Token } from 'markdown-it'

/**
 * Begins Markdown with a YAML front matter; each message under a heading, steps folded, sources as footnotes (`[^m2-1]`:
 * source 1 of message 2).
 */
export async function beginMarkdown(
  file: Pick<FileWriter, 'write'>,
  head: ChatHead,
  options: ChatOptions,
): Promise<ChatWriter> {
  const words = chatLabels[options.language]
  let count = 0
  if (!options.bare) await file.write(frontMatter(head, words))
  return {
    async message({ message }) {
      count += 1
      await file.write(`${messageMarkdown(message, count, head, options, words)}\n\n`)
    },
    end: async () => undefined,
  }
}

function frontMatter(head: ChatHead, words: ChatLabels): string {
  return [
    '---',
    `title: ${yamlText(head.title)}`,
    `with: ${yamlText(answererName(head.settings, head.who, words))}`,
    `created: ${new Date(head.createdAt).toISOString()}`,
    `updated: ${new Date(head.updatedAt).toISOString()}`,
    `messages: ${head.messages}`,
    ...(head.tags.length > 0 ? [`tags: [${head.tags.map(yamlText).join(', ')}]`] : []),
    `exported: ${new Date(head.exportedAt).toISOString()}`,
    '---',
    '',
    `# ${plainMarkdown(head.title)}`,
    '',
    '',
  ].join('\n')
}

function messageMarkdown(
  message: ChatMessage,
  number: number,
  head: ChatHead,
  options: ChatOptions,
  words: ChatLabels,
): string {
  const footnote = (source: number): string => `[^m${number}-${source}]`
  const sources = citedSources(message, words)
  const sourceNumbers = new Set(sources.map((source) => source.number))
  const text = inertMarkdown(withShownMarks(message.text), words, (source) =>
    sourceNumbers.has(source) ? footnote(source) : String.raw`\[${source}\]`,
  )
  return [
    `## ${headingOf(message, head, options, words)}`,
    ...(options.steps ? message.steps.map((step) => folded(reportedStep(step, words), words)) : []),
    text.trim(),
    message.attachments
      .map((one) => `- ${plainMarkdown(reportedAttachment(one, words))}`)
      .join('\n'),
    message.error === null
      ? ''
      : `> ${plainMarkdown(`${message.error.code}: ${message.error.message}`)}`,
    sources.map((source) => `${footnote(source.number)}: ${footnoteText(source)}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function headingOf(
  message: ChatMessage,
  head: ChatHead,
  { timeZone }: ChatOptions,
  words: ChatLabels,
): string {
  const who =
    message.role === 'user'
      ? words.you
      : answererName(message.settings ?? head.settings, head.who, words)
  const state = words.states[message.state]
  return [
    plainMarkdown(who),
    shortTime(message.createdAt, timeZone),
    ...(state ? [state] : []),
  ].join(' · ')
}

/**
 * The tags are ours, those of the text are escaped; an empty line in the summary would end it for Markdown.
 */
function folded({ title, parts }: ReportedStep, words: ChatLabels): string {
  const body = parts.map((part) =>
    part.kind === 'prose'
      ? inertMarkdown(part.text, words, (number) => String.raw`\[${number}\]`).trim()
      : `${part.label}${words.colon.trim()}\n\n${codeBlock(part.text, part.language)}`,
  )
  return [
    '<details>',
    `<summary>${escapeHtml(cleanText(title).replace(/\s+/g, ' '))}</summary>`,
    '',
    ...body,
    '',
    '</details>',
  ]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace('<details>\n\n', '<details>\n')
}

function footnoteText({ title, where, text, link }: ReportedSource): string {
  const place = where === '' ? '' : `, ${plainMarkdown(where)}`
  const words = text === '' ? '' : `: “${plainMarkdown(text)}”`
  const address = link === '' ? '' : ` <${new URL(link).href}>`
  return `${plainMarkdown(title)}${place}${words}${address}`
}

/**
 * Sanitizes Markdown so that nothing in it is active when it is opened: tags outside of code are escaped, images become
 * links, URLs lead to the web or nowhere, and code that is never closed ends with the text. `footnote` returns the
 * replacement of a citation. What is still active then is shown verbatim.
 */
function inertMarkdown(
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
const plainMarkdown = (text: string): string =>
  cleanText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~#$&]/g, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`)
    .replace(/^[-+=]/, String.raw`\$&`)

/** Returns a YAML string, always in double quotes: JSON strings are YAML strings. */
const yamlText = (text: string): string => JSON.stringify(cleanText(text))

/** Returns a code block for any text: the fence is longer than any in it. */
function codeBlock(text: string, language: string): string {
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

interface Reference {
  readonly title: string
  readonly href: string
}

/** Parses like the most permissive reader: tags are allowed, and every URL is a link. */
const trusting = new MarkdownIt({ html: true, linkify: false, typographer: false })
trusting.validateLink = () => true

/**
 * Whether nothing in a Markdown text is active when it is opened, and nothing extends beyond its end: no tags, no
 * images, no active URLs, no open fence.
 */
function isInert(markdown: string): boolean {
  const references: Record<string, Reference> = {}
  const env = { references }
  const tokens = trusting.parse(`${markdown}\n\n${after}`, env)
  const last = tokens.at(-2)
  if (last?.type !== 'inline' || last.content !== after || last.level !== 1) return false
  return (
    tokens.every(isQuiet) &&
    Object.values(references).every(({ href }) => leads(href)) &&
    // A reference that is defined in another part of the file would turn it into an image.
    (!markdown.includes('![') || trusting.parse(markdown, { references: known }).every(isQuiet))
  )
}

const after = 'after'

/** Treats every reference as defined. */
const known: Record<string, Reference> = new Proxy({}, { get: () => ({ href: '#', title: '' }) })

function isQuiet({ type, attrs, children }: Token): boolean {
  if (type === 'html_block' || type === 'html_inline' || type === 'image') return false
  const href = attrs?.find(([name]) => name === 'href')?.[1]
  return (href === undefined || leads(String(href))) && (children?.every(isQuiet) ?? true)
}

/** Whether a URL has no scheme, a web or mail scheme, or was made unusable. */
const leads = (href: string): boolean =>
  !/^[\s\p{Cc}]*[a-z][a-z0-9+.-]*:/iu.test(href) || /^(?:https?|mailto|unsafe):/i.test(href)
