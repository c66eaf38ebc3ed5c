import type { ChatMessage, TokenUse } from '../../../../../shared/model/chat.ts'

/** The kinds of tokens that are counted apart. */
export const tokenKinds = ['prompt', 'completion', 'reasoning', 'cached', 'total'] as const
/** One of {@link tokenKinds}. */
export type TokenKind = (typeof tokenKinds)[number]

/** What some answers took, of one kind. */
export interface TokenSum {
  /** Tokens of the answers that told; null when none did. */
  readonly tokens: number | null
  /** Answers that told nothing of this kind. */
  readonly unknown: number
}

/** What the answers of a conversation took. */
export interface UsageSums {
  readonly answers: number
  /** Answers of which nothing was told at all. */
  readonly silent: number
  readonly kinds: Readonly<Record<TokenKind, TokenSum>>
}

/** Adds up what answers took: what is not told stays unknown and is counted as such, never guessed. */
export function usageSums(messages: readonly ChatMessage[]): UsageSums {
  const answers = messages.filter(({ role }) => role === 'assistant')
  const sum = (kind: TokenKind): TokenSum => {
    const reported = answers.flatMap(({ usage }) => usage?.[kind] ?? [])
    return {
      tokens: reported.length === 0 ? null : reported.reduce((all, one) => all + one, 0),
      unknown: answers.length - reported.length,
    }
  }
  return {
    answers: answers.length,
    silent: answers.filter(({ usage }) => usage === null || isSilent(usage)).length,
    kinds: {
      prompt: sum('prompt'),
      completion: sum('completion'),
      reasoning: sum('reasoning'),
      cached: sum('cached'),
      total: sum('total'),
    },
  }
}

const isSilent = (usage: TokenUse): boolean => tokenKinds.every((kind) => usage[kind] === null)
