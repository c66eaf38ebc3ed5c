import type { ListedAssistant, StarterPrompt } from '../../../../../shared/model/chat.ts'
import {
  predefinedAssistants,
  purposesNotOnDevice,
  type AssistantPurpose,
} from '../../../../../shared/provider/assistants.ts'

/** Label of a starter button, and its question. */
interface Starter {
  readonly title: string
  readonly text: string
}

/** Assistant as shown in the gallery. */
export interface AssistantCard {
  readonly id: string
  readonly name: string
  /** Set for a predefined one. */
  readonly purpose: AssistantPurpose | null
  readonly description: string
  readonly tools: readonly string[]
  readonly tags: readonly string[]
  readonly starters: readonly Starter[]
  readonly listedAt: number | null
}

/** Name and description of a predefined assistant, in the user's language. */
interface PredefinedLabels {
  readonly name: string
  readonly does: string
}

/**
 * Returns predefined ones in the order of the API reference, then the others as listed; listed data overrides built-in data.
 * `onDevice`: only those that This computer can serve.
 */
export function assistantCards(
  listed: readonly ListedAssistant[],
  words: (purpose: AssistantPurpose) => PredefinedLabels,
  onDevice = false,
): readonly AssistantCard[] {
  const byId = new Map(listed.map((one) => [one.id, one]))
  const predefined = predefinedAssistants.map(({ id, purpose }): AssistantCard => {
    const { name, does } = words(purpose)
    const info = byId.get(id)
    return {
      id,
      name,
      purpose,
      description: info?.description.trim() || does,
      tools: info?.tools ?? [],
      tags: withoutName(info?.tags ?? [], [name, info?.name ?? '']),
      starters: (info?.starterPrompts ?? []).map(starterOf),
      listedAt: info?.listedAt ?? null,
    }
  })
  const known = new Set(predefined.map(({ id }) => id))
  const others = [...byId.values()]
    .filter(({ id }) => !known.has(id))
    .map((one): AssistantCard => ({
      id: one.id,
      name: one.name.trim() || one.id,
      purpose: null,
      description: one.description.trim(),
      tools: one.tools,
      tags: withoutName(one.tags, [one.name]),
      starters: one.starterPrompts.map(starterOf),
      listedAt: one.listedAt,
    }))
  return [...predefined, ...others].filter(
    ({ purpose }) => !onDevice || purpose === null || !purposesNotOnDevice.has(purpose),
  )
}

const starterOf = (prompt: StarterPrompt): Starter =>
  typeof prompt === 'string' ? { title: prompt, text: prompt } : prompt

/** Removes tags that only repeat the name. */
const withoutName = (tags: readonly string[], names: readonly string[]): readonly string[] => [
  ...new Set(tags.filter((tag) => tag.trim() !== '' && !names.includes(tag))),
]

/** Returns every tag with its number of cards, the most frequent first. */
export function tagsOf(
  cards: readonly AssistantCard[],
): readonly { readonly tag: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { tags } of cards) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => b.count - a.count || a.tag.localeCompare(b.tag))
}

/** Returns cards with a tag (any if empty) that contain every word of the query. */
export function matchCards(
  cards: readonly AssistantCard[],
  query: string,
  tag: string,
): readonly AssistantCard[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return cards.filter((card) => {
    if (tag !== '' && !card.tags.includes(tag)) return false
    const starters = card.starters.flatMap(({ title, text: question }) => [title, question])
    const text = [card.name, card.description, ...card.tags, ...starters].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Returns initials in place of an image: the first letters of two words, or the first character of a name without spaces. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s\-_/·]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = '', second = ''] = words.map(
    (word) => [...word.replace(/^[^\p{L}\p{N}]+/u, '')][0] ?? '',
  )
  const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(first)
  return (wide ? first : first + second).toLocaleUpperCase()
}

/** Returns a stable color index for an ID. */
export function colorOf(id: string, colours: number): number {
  let hash = 0
  for (const sign of id) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) >>> 0
  return hash % colours
}
