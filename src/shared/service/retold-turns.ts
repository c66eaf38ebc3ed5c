/** One earlier message, as it is told again. */
export interface RetoldTurn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** What stands before the words of each side. */
const heads: Readonly<Record<RetoldTurn['role'], string>> = {
  user: '## User',
  assistant: '## Assistant',
}

/**
 * Writes a message that tells earlier turns again: what is asked of the reader, the turns inside a fence, then what is asked now.
 * `key` is in both marks of the fence, so that nothing inside can end it.
 */
export const retoldMessage = (
  turns: readonly RetoldTurn[],
  message: string,
  instruction: string,
  key: string,
): string =>
  [
    instruction,
    '',
    `<conversation-${key}>`,
    turns.map(({ role, text }) => `${heads[role]}\n\n${text}`).join('\n\n'),
    `</conversation-${key}>`,
    '',
    message,
  ].join('\n')

/** What such a message asks now, and the turns, as far as their heads tell them apart; null for any other text. */
export function readRetoldMessage(
  text: string,
): { readonly turns: readonly RetoldTurn[]; readonly message: string } | null {
  const open = /^<conversation-([\w-]{6,64})>\n/m.exec(text)
  if (!open) return null
  const [mark, key = ''] = open
  const from = open.index + mark.length
  const close = `\n</conversation-${key}>\n`
  const to = text.indexOf(close, from - 1)
  if (to < 0) return null
  return {
    turns: readTurns(text.slice(from, Math.max(from, to))),
    message: text.slice(to + close.length).trim(),
  }
}

function readTurns(text: string): readonly RetoldTurn[] {
  const found = [...text.matchAll(/^## (User|Assistant)\n\n/gm)]
  return found.map((head, at) => ({
    role: head[1] === 'User' ? 'user' : 'assistant',
    text: text.slice(head.index + head[0].length, found[at + 1]?.index).trim(),
  }))
}
