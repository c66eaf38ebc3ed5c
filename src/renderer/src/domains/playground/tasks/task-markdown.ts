import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import type { TaskResult } from '../../../../../shared/model/task.ts'

/** Translated text between the parts. */
export interface TaskMarkdownLabels {
  readonly title: string
  readonly reasoning: string
  choice(number: number): string
  readonly files: string
  readonly webSearch: string
}

/** The result of a task as Markdown: its answers with reasoning and calls, its file names, web search results. */
export function taskMarkdown(
  { choices, webSearch }: TaskResult,
  files: readonly SavedFile[],
  words: TaskMarkdownLabels,
): string {
  const parts = [
    `# ${words.title.replace(/\s+/g, ' ')}`,
    ...choices.flatMap(({ index, content, reasoning, toolCalls }) => [
      choices.length > 1 ? `## ${words.choice(index + 1)}` : '',
      reasoning ? `*${words.reasoning}*\n\n${reasoning.replaceAll(/^/gm, '> ')}` : '',
      content ?? '',
      ...toolCalls.map((call) => `\`${call.name}\` \`${call.arguments}\``),
    ]),
    ...(files.length > 0
      ? [`## ${words.files}`, files.map(({ name }) => `- ${name}`).join('\n')]
      : []),
    ...(webSearch.length > 0
      ? [
          `## ${words.webSearch}`,
          webSearch
            .map(({ title, link }) => `- ${title} <${link.replace(/[<>\s]/g, encodeURI)}>`)
            .join('\n'),
        ]
      : []),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
