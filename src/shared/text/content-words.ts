const common: ReadonlySet<string> = new Set(
  (
    'a about above actually after again ago all almost also always am an and another any anybody anyone anything are around as ask at ' +
    'away back be because been before being below best better between big bit both but by call came can cannot come could day days did ' +
    'do does doing done down each either else end enough even ever every everybody everyone everything far few first for from full gave ' +
    'get gets getting give go goes going gone good got great had has have having he hear her here him his how i if in into is it its ' +
    'just keep kind know last later least less let like little long look lot made maybe make many may me mean might minute more most ' +
    'much must my need never new next no none not nothing now of off okay ok old on once one only or other others our out over own part ' +
    'people please point put quite rather really right said same saw say see seen several shall she should since so some somebody ' +
    'someone something soon sort still such sure take talk tell than thank thanks that the their them then there these they thing ' +
    'things think this those though three through time to today together told tomorrow too took two under until up us use used very ' +
    'want was way we week well went were what when where whether which while who whole whom whose why will with within without work ' +
    'would yeah year yes yet you your done finish finished start started begin begins meet meeting agree agreed ' +
    'decide decided discuss discussed ' +
    '我们 你们 他们 她们 大家 自己 这个 那个 这些 那些 这样 那样 这里 那里 什么 怎么 怎样 如何 为什么 因为 所以 但是 不过 可是 而且 然后 ' +
    '还是 还有 还要 就是 就要 不是 没有 可以 能够 可能 应该 需要 必须 已经 正在 现在 今天 明天 昨天 时候 时间 一下 一个 一些 一点 一起 ' +
    '有点 非常 比较 特别 真的 其实 觉得 认为 知道 看看 说说 的话 如果 或者 以及 关于 对于 之后 之前 以后 以前 上面 下面 里面 东西 事情 问题 ' +
    '情况 方面 部分 不要 不会 不能 好的 对的 谢谢 请问 那么 那就 这么 先生 女士 讨论 负责 完成 开始 决定 进行 准备 检查 使用 会议 同意'
  ).split(' '),
)

const segmenters = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
} as const

/** A word of a text with its position in UTF-16 units. */
export interface WordToken {
  readonly start: number
  readonly end: number
  /** In lower case; null for a common word, a number or a single letter. */
  readonly keyword: string | null
}

/** Returns the words of a text, Chinese ones by the system's dictionary, without spaces and punctuation. */
export function wordTokens(text: string): readonly WordToken[] {
  const segmenter = segmenters[/\p{sc=Han}/u.test(text) ? 'zh' : 'en']
  return Array.from(segmenter.segment(text)).flatMap(({ segment, index, isWordLike }) => {
    if (isWordLike !== true) return []
    const word = segment.toLowerCase().replace(/['’](?:s|re|ve|ll|d|t|m)$/u, '')
    const keyword = isContent(word) ? word : null
    return [{ start: index, end: index + segment.length, keyword }]
  })
}

/** Returns the keywords of a text in lower case, without common words, numbers and single letters. */
export const contentWords = (text: string): readonly string[] =>
  wordTokens(text).flatMap(({ keyword }) => keyword ?? [])

function isContent(word: string): boolean {
  if (!/\p{L}/u.test(word) || common.has(word)) return false
  return /\p{sc=Han}/u.test(word) ? word.length >= 2 : word.length >= 3
}

/** A rough stem that maps plurals to their singular: it is only compared, never shown. */
export const stemOf = (word: string): string =>
  /^[a-z]{4,}s$/.test(word) && !word.endsWith('ss') ? word.slice(0, -1) : word
