import { withShownMarks } from '../../../../shared/chats/references.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { cleanText, escapeHtml } from '../../../platform/export-files/clean.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import { beginPage, pageEnd } from '../../../platform/export-files/html-page.ts'
import { markupOf } from '../../documents/exports/index.ts'
import {
  citedSources,
  reportedAttachment,
  reportedStep,
  type ReportedSource,
  type ReportedStep,
} from './chat-outline.ts'
import { answererName, chatLabels, shortTime, type ChatLabels } from './labels.ts'
import { messageNodes } from './nodes.ts'
import type { ChatHead, ChatOptions, ChatWriter } from './chat-export-types.ts'

/** Style of an exported chat for screen and paper, in both color schemes. */
const chatStyle = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1.5rem}
header p,small,summary,.attachments,.sources{color:color-mix(in srgb,currentColor 70%,transparent)}
h1,h2,h3{line-height:1.3}
article{margin:1.5rem 0;break-inside:auto}
article>h2{margin:0 0 .5rem;font-size:1rem}
article>h2 small{font-weight:400}
article>h3{margin:1rem 0 .25rem;font-size:.875rem}
.user{background:var(--soft);border-radius:10px;padding:.75rem 1rem}
.user>:last-child{margin-bottom:0}
.sources,.attachments{font-size:.875rem}
.error{border:1px dashed;padding:.5rem 1rem}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.25rem .75rem;font-size:.9375rem}
summary{cursor:pointer}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1rem 0}
td,th{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
.center{text-align:center}.right{text-align:right}.left{text-align:left}
pre{background:var(--soft);border-radius:8px;padding:.75rem 1rem;white-space:pre-wrap}
code{font-family:ui-monospace,"SF Mono",Consolas,"Noto Sans Mono CJK SC",monospace;font-size:.9em}
math[display=block]{margin:1rem 0;overflow-x:auto}
code.tex{white-space:pre-wrap}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line)}
:target{outline:2px solid Highlight}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}pre,table,blockquote{break-inside:avoid}}
`

/**
 * Begins a single file that needs no network and runs nothing: its style is inline, formulas are MathML, code is plain
 * text.
 */
export async function beginHtml(
  file: Pick<FileWriter, 'write'>,
  head: ChatHead,
  options: ChatOptions,
): Promise<ChatWriter> {
  const words = chatLabels[options.language]
  const title = safe(head.title)
  const facts = [
    answererName(head.settings, head.who, words),
    `${shortTime(head.createdAt, options.timeZone)} – ${shortTime(head.updatedAt, options.timeZone)}`,
    words.messages(head.messages),
    ...(head.tags.length > 0 ? [head.tags.join(', ')] : []),
  ]
  await file.write(`${beginPage({ title: head.title, language: options.language, style: chatStyle })}<header>
<h1>${title}</h1>
<p>${facts.map(safe).join(' · ')}</p>
</header>
<main>
`)
  let count = 0
  return {
    async message({ message }) {
      count += 1
      await file.write(await messageMarkup(message, count, { head, options, words }))
    },
    end: () => file.write(`</main>\n${pageEnd}`),
  }
}

interface Parts {
  readonly head: ChatHead
  readonly options: ChatOptions
  readonly words: ChatLabels
}

const safe = (text: string): string => escapeHtml(cleanText(text))

async function messageMarkup(message: ChatMessage, number: number, parts: Parts): Promise<string> {
  const { head, options, words } = parts
  const { role, settings, createdAt, attachments, error } = message
  const who = role === 'user' ? words.you : answererName(settings ?? head.settings, head.who, words)
  const state = words.states[message.state]
  const sources = citedSources(message, words)
  const sourceNumbers = new Set(sources.map((source) => source.number))
  const steps = options.steps
    ? await Promise.all(message.steps.map((step) => stepMarkup(reportedStep(step, words), words)))
    : []
  const body = await proseMarkup(withShownMarks(message.text), words, (source) =>
    sourceNumbers.has(source) ? `#m${number}-${source}` : null,
  )
  const facts = [shortTime(createdAt, options.timeZone), ...(state ? [state] : [])]
  return [
    `<article class="${role}" id="m${number}">`,
    `<h2>${safe(who)} <small>${facts.map(safe).join(' · ')}</small></h2>`,
    ...steps,
    body,
    listOf(
      'ul',
      'attachments',
      attachments.map((one) => `<li>${safe(reportedAttachment(one, words))}</li>`),
    ),
    error === null ? '' : `<p class="error">${safe(`${error.code}: ${error.message}`)}</p>`,
    sources.length === 0 ? '' : `<h3>${safe(words.sources)}</h3>`,
    listOf(
      'ol',
      'sources',
      sources.map((source) => sourceMarkup(source, number)),
    ),
    '</article>\n',
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const listOf = (tag: 'ul' | 'ol', name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${tag} class="${name}">\n${items.join('\n')}\n</${tag}>`

function sourceMarkup(
  { number, title, where, text, link }: ReportedSource,
  message: number,
): string {
  const name = safe(title)
  const address =
    link === ''
      ? name
      : `<a href="${escapeHtml(new URL(link).href)}" rel="noopener noreferrer nofollow">${name}</a>`
  const place = where === '' ? '' : `, ${safe(where)}`
  const quote = text === '' ? '' : `<br><q>${safe(text)}</q>`
  return `<li id="m${message}-${number}" value="${number}">${address}${place}${quote}</li>`
}

async function stepMarkup({ title, parts }: ReportedStep, words: ChatLabels): Promise<string> {
  const body = await Promise.all(
    parts.map(async (part) =>
      part.kind === 'prose'
        ? proseMarkup(part.text, words, () => null)
        : `<p>${safe(part.label)}</p>\n<pre><code>${safe(part.text)}</code></pre>`,
    ),
  )
  return `<details>\n<summary>${safe(title)}</summary>\n${body.join('\n')}\n</details>`
}

async function proseMarkup(
  text: string,
  words: ChatLabels,
  anchorOf: (source: number) => string | null,
): Promise<string> {
  return markupOf(messageNodes(text, anchorOf), {
    images: null,
    imageLabel: words.image,
    counts: { images: 0, plainFormulas: 0 },
  })
}
