import type { SavedFile } from '../../../../shared/model/saved-file.ts'
import type { TaskResult } from '../../../../shared/model/task.ts'

/** The words that stand between the parts, in the reader's language. */
export interface TaskMarkdownLabels {
  readonly title: string
  readonly reasoning: string
  choice(number: number): string
  readonly files: string
  readonly webSearch: string
}

/** What a task came to as Markdown: its answers with their reasoning and calls, its files by name, what was found on the web. */
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
