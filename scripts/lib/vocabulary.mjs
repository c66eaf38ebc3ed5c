/**
 * @typedef {object} Vocabulary
 * @property {ReadonlySet<string>} words excluded from names, comments and test titles, lower case
 * @property {ReadonlySet<string>} nameWords excluded from names alone, lower case
 * @property {readonly string[]} phrases of several words, excluded from comments and test titles
 * @property {readonly { name: string, paths: readonly string[] }[]} exceptions names that are right below these paths
 */

/**
 * Rows of all tables of a Markdown text, each by the headings of its columns.
 * @param {string} markdown
 * @returns {Readonly<Record<string, string>>[]}
 */
function rowsOf(markdown) {
  /** @type {Record<string, string>[]} */
  const rows = []
  /** @type {readonly string[] | null} */
  let headings = null
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      headings = null
      continue
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (headings === null) headings = cells
    else if (!/^-+$/.test(cells[0] ?? ''))
      rows.push(Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ''])))
  }
  return rows
}

/**
 * Words in one column of all tables of the glossary.
 * @param {string} markdown
 * @param {string} column
 * @returns {string[]}
 */
export const wordsInColumn = (markdown, column) =>
  rowsOf(markdown)
    .flatMap((row) => (row[column] ?? '').split('; '))
    .filter((word) => word !== '' && word !== '—')

/**
 * Reads the tables “Not in code”, “Not in names” and “Name that stays” of the glossary.
 * @param {string} markdown
 * @returns {Vocabulary}
 */
export function readVocabulary(markdown) {
  const terms = wordsInColumn(markdown, 'Not in code')
  if (terms.length === 0) throw new Error('docs/glossary.md has no column “Not in code”.')
  const exceptions = rowsOf(markdown.replaceAll('`', '')).flatMap((row) =>
    (row['Name that stays'] ?? '')
      .split('; ')
      .filter((name) => name !== '')
      .map((name) => ({ name, paths: (row['Below'] ?? '').split('; ') })),
  )
  return {
    words: new Set(terms.filter((term) => !term.includes(' '))),
    nameWords: new Set(wordsInColumn(markdown, 'Not in names')),
    phrases: terms.filter((term) => term.includes(' ')),
    exceptions,
  }
}

/** Words of an identifier: `savedFileIds` has saved, file and ids. @param {string} name */
const wordsOfName = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Quoted code, links and paths in a comment are names, not words. @param {string} text */
const proseOf = (text) =>
  text
    .replace(
      /`[^`]*`|\{@\w+ [^}]*\}|@\w+ \{[^}]*\}|https?:\S+|[\w./-]+\.(?:ts|mjs|vue|md|json)\b/g,
      ' ',
    )
    .replace(/\n\s*(?:\*|\/\/)/g, ' ')
    .toLowerCase()

const titleCalls = new Set(['test', 'it', 'describe'])

/** The function behind `test`, `test.each(…)` and `` test.each`…` ``. @param {any} ts @param {any} expression @returns {string} */
function calleeOf(ts, expression) {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return calleeOf(ts, expression.expression)
  return ts.isTaggedTemplateExpression(expression) ? calleeOf(ts, expression.tag) : ''
}

/**
 * Code of a file: all of it, or the script blocks of a .vue file with everything else blanked, so that line numbers stay.
 * @param {string} path
 * @param {string} text
 */
export function scriptOf(path, text) {
  if (!path.endsWith('.vue')) return text
  const blank = (/** @type {string} */ other) => other.replace(/[^\n]/g, '')
  let code = ''
  let from = 0
  for (const match of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)) {
    const start = match.index + (match[1]?.length ?? 0)
    code += blank(text.slice(from, start)) + (match[2] ?? '')
    from = start + (match[2]?.length ?? 0)
  }
  return code + blank(text.slice(from))
}

/**
 * Excluded words in one file, each as `path:line …`.
 * @param {any} ts the TypeScript compiler
 * @param {Vocabulary} vocabulary
 * @param {string} path from the root, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function breachesIn(ts, vocabulary, path, text) {
  const source = ts.createSourceFile(path, scriptOf(path, text), ts.ScriptTarget.Latest, true)
  /** @type {Map<string, string>} */
  const found = new Map()
  const report = (
    /** @type {number} */ position,
    /** @type {string} */ word,
    /** @type {string} */ what,
  ) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1
    const entry = `${path}:${line} ${what} has the word “${word}” (docs/glossary.md)`
    found.set(entry, entry)
  }
  const checkProse = (
    /** @type {number} */ position,
    /** @type {string} */ prose,
    /** @type {string} */ what,
  ) => {
    const plain = proseOf(prose)
    for (const word of plain.match(/[a-z]+(?:-[a-z]+)*/g) ?? [])
      if (vocabulary.words.has(word)) report(position, word, what)
    const spaced = plain.replace(/\s+/g, ' ')
    for (const phrase of vocabulary.phrases)
      if (new RegExp(`(?<![a-z])${phrase}(?![a-z])`).test(spaced)) report(position, phrase, what)
  }
  /** @type {Set<number>} */
  const comments = new Set()
  const checkComments = (/** @type {any[] | undefined} */ ranges) => {
    for (const { pos, end } of ranges ?? []) {
      if (comments.has(pos)) continue
      comments.add(pos)
      checkProse(pos, source.text.slice(pos, end), 'a comment')
    }
  }
  const visit = (/** @type {any} */ node) => {
    checkComments(ts.getLeadingCommentRanges(source.text, node.pos))
    checkComments(ts.getTrailingCommentRanges(source.text, node.end))
    if (ts.isIdentifier(node)) {
      const stays = vocabulary.exceptions.some(
        ({ name, paths }) => name === node.text && paths.some((start) => path.startsWith(start)),
      )
      for (const word of stays ? [] : wordsOfName(node.text))
        if (vocabulary.words.has(word) || vocabulary.nameWords.has(word))
          report(node.getStart(source), word, `the name ${node.text}`)
    } else if (ts.isCallExpression(node) && titleCalls.has(calleeOf(ts, node.expression))) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title))
        checkProse(title.getStart(source), title.text, 'a test title')
    }
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return [...found.values()]
}
