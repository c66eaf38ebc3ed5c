import {
  refusalIn,
  type OutputItem,
  type StoredResponse,
} from '../../../../../shared/model/response.ts'
import { jsonIn } from './parse-json.ts'
import { linkOf } from './response-link.ts'

/** Localized labels between the parts. */
interface MarkdownLabels {
  readonly title: string
  readonly reasoning: string
  readonly call: string
  readonly search: string
  readonly error: string
  readonly refused: string
  readonly instructions: string
}

/** Converts a Response to Markdown: its answer unchanged, reasoning quoted, calls and unknown items as code. */
export function responseMarkdown(response: StoredResponse, words: MarkdownLabels): string {
  const parts = [
    `# ${words.title.replace(/\s+/g, ' ')}`,
    ...(response.error
      ? [`**${words.error}** (${response.error.code}): ${response.error.message}`]
      : []),
    ...response.output.map((item) => partOf(item, words, response.textFormat === 'json_object')),
    ...(response.instructions ? [`## ${words.instructions}`, response.instructions] : []),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function partOf(item: OutputItem, words: MarkdownLabels, asJson: boolean): string {
  switch (item.type) {
    case 'message':
      return [
        ...item.texts.map((text) => (asJson && jsonIn(text) !== undefined ? code(text) : text)),
        ...(item.others ?? []).map((one) => {
          const refusal = refusalIn(one)
          return refusal === null ? code(JSON.stringify(one)) : `**${words.refused}** ${refusal}`
        }),
        (item.annotations ?? [])
          .flatMap((one) => {
            const link = linkOf(one)
            return link ? [linked(link)] : []
          })
          .join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n')
    case 'reasoning':
      return [`*${words.reasoning}*`, quoted(item.texts.join('\n\n'))].join('\n\n')
    case 'function_call': {
      const name = item.namespace === '' ? item.name : `${item.namespace}.${item.name}`
      return [`**${words.call}** \`${name}\``, code(item.arguments)].join('\n\n')
    }
    case 'web_search_call': {
      const sources = item.sources.map((url) => linked({ url, title: '' }))
      return [`**${words.search}** ${item.queries.join(' · ')}`, sources.join('\n')]
        .filter((part) => part !== '')
        .join('\n\n')
    }
    case 'unknown':
      return code(JSON.stringify(item.raw))
  }
}

const linked = ({ url, title }: { readonly url: string; readonly title: string }): string =>
  `- ${title === '' ? '' : `${title} `}<${url.replace(/[<>\s]/g, encodeURI)}>`
const quoted = (text: string): string => text.replaceAll(/^/gm, '> ')

/** Returns JSON in a fence that is longer than any inside it. */
function code(text: string): string {
  const value = jsonIn(text)
  const pretty = value === undefined ? text : JSON.stringify(value, null, 2)
  const longest = Math.max(2, ...(pretty.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${pretty}\n${fence}`
}
