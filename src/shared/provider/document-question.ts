/** A question about a document whose text is included. */
interface DocumentQuestion {
  readonly title: string
  readonly text: string
  readonly question: string
}

/**
 * Creates a message that programs can parse as well: the instruction for the model, the document inside a fence with its
 * title, which is not ours either, and the question after it. `key` is in both marks of the fence, so that nothing inside can
 * end it.
 */
export const documentQuestion = (
  { title, text, question }: DocumentQuestion,
  instruction: string,
  key: string,
): string =>
  [
    instruction.replaceAll(/\s+/g, ' '),
    '',
    `<document-${key}>`,
    `# ${title.replaceAll(/\s+/g, ' ').trim()}`,
    '',
    text,
    `</document-${key}>`,
    '',
    question.trim(),
  ].join('\n')

/**
 * Parses such a message by its structure; null for any other text. Only a message that begins this way counts: a fence
 * further on is text.
 */
export function readDocumentQuestion(message: string): DocumentQuestion | null {
  const open = /^[^\n]*\n\n<document-([\w-]{6,64})>\n# (.*)\n\n/.exec(message)
  if (!open) return null
  const [mark, key = '', title = ''] = open
  const from = mark.length
  const close = `\n</document-${key}>\n`
  const to = message.indexOf(close, from - 1)
  if (to < 0) return null
  return {
    title,
    text: message.slice(from, Math.max(from, to)),
    question: message.slice(to + close.length).trim(),
  }
}

/**
 * Returns the documents included with one question, each nested in the previous one's question, and the final question; null
 * for any other text.
 */
export function readDocumentQuestions(message: string): {
  readonly documents: readonly Omit<DocumentQuestion, 'question'>[]
  readonly question: string
} | null {
  const documents: Omit<DocumentQuestion, 'question'>[] = []
  let question = message
  for (let given = readDocumentQuestion(message); given; given = readDocumentQuestion(question)) {
    const { title, text } = given
    documents.push({ title, text })
    question = given.question
  }
  return documents.length === 0 ? null : { documents, question }
}
