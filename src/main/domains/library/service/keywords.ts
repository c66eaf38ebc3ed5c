/** Maximum number of characters considered; questions are shorter, and a pasted book would block the app. */
const maxChars = 10_000

/** Maximum number of keywords; each costs one search. */
const maxKeywords = 10

/** English words that phrase a question and do not name its topic. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after all also am an and any are as at be been but by can could did do does for from give had has have ' +
    'he her him his how i if in into is it its just let make may me more most my no not of on one or our out please say ' +
    'said she should so some tell than that the their them then there these they this those to up us was we were what ' +
    'when where which who why will with would write you your find show explain summarise summarize answer question'
  ).split(' '),
)

/** The same for Chinese, which has no spaces between words: runs are split at these. */
const chineseCuts =
  /请问|什么时候|什么|怎么|怎样|如何|哪些|哪个|哪里|为什么|为何|多少|几个|是否|可以|我们|你们|他们|这个|那个|告诉|关于|一下|一个|请|吗|呢|吧|的|了|是|在|和|与|有|我|你|他|她|它|谁|把|被|给/u

function fromRun(run: string): readonly string[] {
  return run.split(chineseCuts).flatMap((part) => {
    const characters = [...part]
    if (characters.length < 2) return []
    if (characters.length <= 3) return [part]
    // A long run is more than one word: pairs find its parts.
    return characters.slice(0, -1).map((one, i) => one + (characters[i + 1] ?? ''))
  })
}

/**
 * Extracts the topic of a question as word prefixes to search (plurals lose their s): at most ten, in order, without duplicates.
 */
export function keywords(question: string): readonly string[] {
  const found = new Set<string>()
  const text = question.slice(0, maxChars).normalize('NFKC').toLowerCase()
  for (const [run] of text.matchAll(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu)) {
    const words = /\p{Script=Han}/u.test(run) ? fromRun(run) : [run]
    for (const word of words)
      if (word.length > 1 && !stopWords.has(word)) found.add(word.replace(/(?<=\w{3})s$/, ''))
  }
  return [...found].slice(0, maxKeywords)
}
