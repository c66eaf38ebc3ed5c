const questionWords: ReadonlySet<string> = new Set(
  (
    'a about am an and any are as at be been but by can could did do does for from had has have how i if in is it its just me ' +
    'my no not of on or our please say said should so tell than that the their them then there these they this to us was we ' +
    'were what when where which who whom whose why will with would you your explain answer question'
  ).split(' '),
)

const questionPairs =
  /^(?:什么|怎么|怎样|如何|哪些|哪个|哪里|为何|多少|几个|请问|可以|是否|我们|你们|他们|这个|那个|告诉|关于|一下|.[的了吗呢吧?]|[的了吗呢吧是].)$/u

/** Whether a token only phrases a question and does not name its topic, in English or Chinese. */
export const isQuestionWord = (token: string): boolean =>
  questionWords.has(token) || questionPairs.test(token)
