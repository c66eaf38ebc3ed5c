import type { ChatMessage, TokenUse } from '../../../../../shared/model/chat.ts'

/** Types of tokens that are counted separately. */
export const tokenKinds = ['prompt', 'completion', 'reasoning', 'cached', 'total'] as const
type TokenKind = (typeof tokenKinds)[number]

/** Usage of several answers, of one token type. */
interface TokenSum {
  /** Tokens of the answers with a count; null when none has one. */
  readonly tokens: number | null
  /** Number of answers without a count of this type. */
  readonly unknown: number
}

/** Total usage of a chat's answers. */
interface UsageSums {
  readonly answers: number
  /** Number of answers without any count. */
  readonly silent: number
  readonly kinds: Readonly<Record<TokenKind, TokenSum>>
}

/** Adds up the usage of answers: missing counts are reported as unknown, never guessed. */
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
