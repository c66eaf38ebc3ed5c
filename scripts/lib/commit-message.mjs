/** Maximum length of a title, which `git log --oneline` shows on one line. */
export const maxTitleLength = 72

/** First words of titles that are descriptive instead of imperative. */
const notImperative =
  /^(?:an?|the|this|that|what|who|whoever|when|where|there|it|its|one|some|every|no|nothing|now)$/i
/** Imperative verbs that look like other verb forms. */
const imperatives = new Set(['bring', 'embed', 'feed', 'need', 'ping', 'seed', 'speed', 'string'])

/**
 * Returns the problems of a commit message, which needs a title of at most 72 characters in the imperative, without a period, and
 * a body that explains why. A list of sentences, empty for a valid message.
 * @param {string} message
 */
export function problemsOf(message) {
  const [title = '', ...rest] = message.trim().split('\n')
  const [first = ''] = title.split(/\s/)
  const word = first.toLowerCase()
  const otherForm = /(?:ed|ing)$/.test(word) && !imperatives.has(word)
  const body = rest.filter((line) => line.trim() !== '' && !/^[\w-]+: /.test(line))
  return [
    ...(title.length > maxTitleLength
      ? [`the title has ${title.length} characters; shorten it to ${maxTitleLength}`]
      : []),
    ...(/^[A-Z]/.test(first) ? [] : ['start the title with a capital letter']),
    ...(notImperative.test(first) || otherForm
      ? [`"${first}" is not an imperative; start with a verb, such as "Add" or "Fix"`]
      : []),
    ...(title.endsWith('.') ? ['remove the period at the end of the title'] : []),
    ...(rest.length > 0 && rest[0] !== '' ? ['leave the second line empty'] : []),
    ...(body.length === 0 ? ['add a body that says why'] : []),
  ]
}
