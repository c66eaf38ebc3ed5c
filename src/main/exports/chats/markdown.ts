import type { ChatMessage } from '../../../shared/model/chat.ts'
import { cleanText, escapeHtml } from '../documents/content/clean.ts'
import type { FileWriter } from '../documents/file-writer.ts'
import { codeBlock, inertMarkdown, plainMarkdown, yamlText } from './sanitize-markdown.ts'
import { withShownMarks } from '../../../shared/chat/references.ts'
import {
  citedSources,
  reportedAttachment,
  reportedStep,
  type ReportedSource,
  type ReportedStep,
} from './chat-outline.ts'
import type { ChatHead, ChatOptions, ChatWriter } from './types.ts'
import { answererName, chatLabels, shortTime, type ChatLabels } from './labels.ts'

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
