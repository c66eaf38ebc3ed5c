/** One earlier message, as it is told again. */
export interface ResentTurn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** What stands before the words of each side, with the key behind it. */
const heads: Readonly<Record<ResentTurn['role'], string>> = {
  user: '## User',
  assistant: '## Assistant',
}

/**
 * Writes a message that tells earlier turns again: what is asked of the reader, the turns inside a fence, then what is asked now.
 * `key` is in both marks of the fence and in the head of each turn, so that nothing inside can end the fence or begin a turn.
 */
export const resentMessage = (
  turns: readonly ResentTurn[],
  message: string,
  instruction: string,
  key: string,
): string =>
  [
    instruction.replaceAll(/\s+/g, ' '),
    '',
    `<conversation-${key}>`,
    turns.map(({ role, text }) => `${heads[role]} ${key}\n\n${text}`).join('\n\n'),
    `</conversation-${key}>`,
    '',
    message,
  ].join('\n')

/**
 * What such a message asks now, and the turns; null for any other text. Only a message that begins as these do is one: a fence inside of
 * a document or a question is words.
 */
export function readResentMessage(
  text: string,
): { readonly turns: readonly ResentTurn[]; readonly message: string } | null {
  const open = /^[^\n]*\n\n<conversation-([\w-]{6,64})>\n/.exec(text)
  if (!open) return null
  const [mark, key = ''] = open
  const from = mark.length
  const close = `\n</conversation-${key}>\n`
  const to = text.indexOf(close, from - 1)
  if (to < 0) return null
  return {
    turns: readTurns(text.slice(from, Math.max(from, to)), key),
    message: text.slice(to + close.length).trim(),
  }
}

function readTurns(text: string, key: string): readonly ResentTurn[] {
  // What may stand in a key means itself in a pattern.
  const found = [...text.matchAll(new RegExp(`^## (User|Assistant) ${key}\n\n`, 'gm'))]
  return found.map((head, at) => ({
    role: head[1] === 'User' ? 'user' : 'assistant',
    text: text.slice(head.index + head[0].length, found[at + 1]?.index).trim(),
  }))
}
