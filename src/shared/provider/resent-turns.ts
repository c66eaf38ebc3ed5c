/** One earlier message that is sent again. */
interface ResentTurn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Heading before the text of each role, followed by the key. */
const heads: Readonly<Record<ResentTurn['role'], string>> = {
  user: '## User',
  assistant: '## Assistant',
}

/**
 * Creates a message that sends earlier turns again: the instruction for the model, the turns inside a fence, then the current
 * question. `key` is in both marks of the fence and in the head of each turn, so that nothing inside can end the fence or
 * begin a turn.
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
 * Returns the current question and the turns of such a message; null for any other text. Only a message that begins this way
 * counts: a fence inside a document or a question is text.
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
  // The characters allowed in a key need no escaping in a pattern.
  const found = [...text.matchAll(new RegExp(`^## (User|Assistant) ${key}\n\n`, 'gm'))]
  return found.map((head, at) => ({
    role: head[1] === 'User' ? 'user' : 'assistant',
    text: text.slice(head.index + head[0].length, found[at + 1]?.index).trim(),
  }))
}
