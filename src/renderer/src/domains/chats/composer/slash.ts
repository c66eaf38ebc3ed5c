import type { ChatPrompt } from '../../../../../shared/model/chat.ts'

/** Commands of the page that are available in the composer. */
export const chatCommands = ['new', 'temporary', 'settings', 'find', 'export', 'prompts'] as const
/** Command of the composer. */
export type ChatCommand = (typeof chatCommands)[number]

/** Entry of the slash menu. */
export type SlashEntry =
  | { readonly key: string; readonly kind: 'prompt'; readonly prompt: ChatPrompt }
  | {
      readonly key: string
      readonly kind: 'command'
      readonly command: ChatCommand
      readonly label: string
    }

/** Maximum number of visible entries. */
const maxEntries = 50
/** Maximum length of a slash query: that of the longest name. */
const maxNameLength = 64

/** Returns the text between a slash at the very beginning and the caret; null if there is no slash query. */
export function slashQuery(text: string, caret: number): string | null {
  if (!text.startsWith('/') || caret < 1) return null
  const query = text.slice(1, caret)
  if (query.length > maxNameLength || /[\n/]/.test(query)) return null
  return query
}

/** Returns the text with a prompt in place of the slash query, or appended if there is none. */
export function withPrompt(text: string, caret: number, prompt: string): string {
  if (slashQuery(text, caret) !== null) return prompt + text.slice(caret)
  return text.trim() === '' ? prompt : `${text.trimEnd()}\n\n${prompt}`
}

/** Returns prompts and commands that contain every typed word, prefix matches first; prompts before commands. */
export function slashEntries(
  query: string,
  prompts: readonly ChatPrompt[],
  commands: readonly { readonly command: ChatCommand; readonly label: string }[],
): readonly SlashEntry[] {
  const normalized = query.trim().toLowerCase()
  const words = normalized.split(/\s+/).filter((word) => word !== '')
  const rank = (name: string, more = ''): number => {
    const lower = name.toLowerCase()
    if (lower.startsWith(normalized)) return 0
    if (words.every((word) => lower.includes(word))) return 1
    return words.every((word) => `${lower}\n${more.toLowerCase()}`.includes(word)) ? 2 : 3
  }
  const ranked = [
    ...prompts.map((prompt) => ({
      at: rank(prompt.name, normalized.length > 1 ? prompt.text.slice(0, 2000) : ''),
      entry: { key: `prompt ${prompt.id}`, kind: 'prompt', prompt } as const,
    })),
    ...commands.map(({ command, label }) => ({
      at: Math.min(rank(command), rank(label)),
      entry: { key: `command ${command}`, kind: 'command', command, label } as const,
    })),
  ]
  return ranked
    .filter(({ at }) => at < 3)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, maxEntries)
    .map(({ entry }) => entry)
}
