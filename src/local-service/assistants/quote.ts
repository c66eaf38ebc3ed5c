import type { MeetingMoment } from '../../shared/chats/sources-found.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { queryTokens } from '../../shared/text/query.ts'
import { formatClock } from '../../shared/text/clock.ts'
import { TextFailure, type TextEngine } from '../engines/text.ts'
import { languageOf, type AnswerLanguage } from './language.ts'
import { linedSentencesOf, type LinedSentence } from './sentences.ts'

/** Text to quote from, with a name for its source. */
export interface QuotePassage {
  readonly source: string
  /** From 1; null or absent where the source has none. */
  readonly page?: number | null
  /** Of a meeting: its ID, and when each line of the text was said, in seconds. */
  readonly meeting?: { readonly id: string; readonly times: readonly number[] }
  readonly text: string
  /** Time of each line, for a transcript. */
  readonly times?: readonly string[]
}

/** A sentence that was quoted. */
export interface Quote {
  readonly source: string
  readonly page: number | null
  /** Where it was said in a meeting of the Library. */
  readonly moment: MeetingMoment | null
  /** Includes the neighboring sentence if only that one contains the answer. */
  readonly text: string
  /** Line of the sentence within its passage, from 0. */
  readonly line: number
  /** Time of that line in a transcript. */
  readonly time: string | null
  /** 0 to 1. */
  readonly score: number
}

/** An answer made only of quoted sentences, with their sources. */
export interface QuotedAnswer {
  readonly text: string
  /** Best first; empty if nothing matches. */
  readonly quotes: readonly Quote[]
  /** The steps that led to the answer. */
  readonly reasoning: string
  /** Limitations of the answer, in plain English. */
  readonly notice: string
  readonly language: AnswerLanguage
}

interface QuoteQuestion {
  readonly question: string
  readonly passages: readonly QuotePassage[]
  readonly text: Pick<TextEngine, 'rank'>
  readonly signal: AbortSignal
  /** Defaults to the language of the question. */
  readonly language?: AnswerLanguage
  /** Maximum number of quoted sentences; defaults to 3. */
  readonly maxQuotes?: number
  /** Whether each quote has a citation of its number, from 1. */
  readonly cites?: boolean
}

/** Maximum sentences ranked by meaning, at some 30 ms each; those that share the most words are ranked first. */
const maxRanked = 32

/**
 * Minimum ranks of an answer: for sentences that share no word with the question, and for those that do. Unrelated text ranks
 * below 0.1.
 */
const minAlone = 0.35
const minShared = 0.1

/** Minimum rank relative to the best sentence for being quoted as well. */
const minShare = 0.6

interface Candidate extends Quote {
  /** Share of the question's words that the sentence contains. */
  readonly shared: number
  /** Sentences of its passage; `at` is its index among them. */
  readonly around: readonly LinedSentence[]
  readonly at: number
}

/** Words of a question that a sentence should share, without question words. */
const topicTokens = (question: string): readonly string[] =>
  queryTokens(question).filter((token) => !isQuestionWord(token))

/** Returns a text with bars between the cells of its HTML tables, and a line for each row; its lines stay. */
const withoutTables = (text: string): string =>
  text
    .replace(/<\/tr>(?![^\S\n]*\n)[^\S\n]*/gi, '\n')
    .replace(/<\/t[dh]>\s*<t[dh]\b[^>]*>/gi, ' | ')
    .replace(/<br>/gi, ' ')
    .replace(/<\/?(?:table|thead|tbody|tr|t[dh])\b[^>]*>/gi, '')

function candidatesOf(passages: readonly QuotePassage[], question: string): readonly Candidate[] {
  const topic = topicTokens(question)
  const seen = new Set<string>()
  return passages
    .flatMap(({ source, page = null, meeting, text, times }) => {
      const around = linedSentencesOf(withoutTables(text))
      return around.map((sentence, at) => {
        const seconds = meeting?.times[sentence.line]
        const moment = meeting && seconds !== undefined ? { meetingId: meeting.id, seconds } : null
        const time = times?.[sentence.line] ?? null
        return { ...sentence, source, page, moment, time, around, at }
      })
    })
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .map((sentence) => {
      const tokens = new Set(queryTokens(sentence.text))
      const common = topic.filter((token) => tokens.has(token)).length
      return { ...sentence, score: 0, shared: topic.length > 0 ? common / topic.length : 0 }
    })
    .toSorted((a, b) => b.shared - a.shared)
}

/** Ranks the candidates; only by their words if the engine is unavailable. */
async function ranked(
  candidates: readonly Candidate[],
  { question, text, signal }: QuoteQuestion,
): Promise<{ readonly candidates: readonly Candidate[]; readonly byMeaning: boolean }> {
  try {
    const sentences = candidates.map((candidate) => candidate.text)
    const scores = await text.rank(question, sentences, signal)
    return {
      candidates: candidates.map((one, i) => ({ ...one, score: scores[i]?.score ?? 0 })),
      byMeaning: true,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof TextFailure)) throw error
    return {
      candidates: candidates.map((one) => ({ ...one, score: one.shared })),
      byMeaning: false,
    }
  }
}

/** Matches the beginning of a sentence that continues the previous one. */
const goesOn =
  /^(?:he|she|it|they|this|that|these|those|his|her|its|their)\b|^(?:[他她它其此该]|这|那)/iu

const isQuestion = (text: string): boolean => /[?？]["'”’」』)）]*$/u.test(text)

/** Offset of the neighboring sentence that a quote needs: -1 before it, 1 after it, 0 for none. */
function neededSide({ text, around, at }: Candidate, has: AnswerCheck | null): -1 | 0 | 1 {
  const neighbor = (by: -1 | 1): string => around[at + by]?.text ?? ''
  // A question is no answer, but the sentence after it may be.
  if (isQuestion(text)) return isQuestion(neighbor(1)) ? 0 : 1
  if (!has || has(text)) return 0
  const sides = goesOn.test(text) ? ([-1, 1] as const) : ([1, -1] as const)
  return sides.find((by) => has(neighbor(by))) ?? 0
}

/**
 * Adds the neighboring sentence to sentences that lack what the question word asks for: "Apollo 12 was saved by an order. John
 * Aaron gave it." answers who saved it only with the second sentence.
 */
function completed(quotes: readonly Candidate[], question: string): readonly Quote[] {
  const has = answerCheckFor(question)
  const quoted = new Set(quotes.map(({ text }) => text))
  return quotes.map((quote) => {
    const { source, page, moment, text, line, time, score, around, at } = quote
    const side = neededSide(quote, has)
    const neighbor = side === 0 ? undefined : around[at + side]?.text
    const whole =
      neighbor === undefined || quoted.has(neighbor)
        ? text
        : side < 0
          ? joined(neighbor, text)
          : joined(text, neighbor)
    return { source, page, moment, text: whole, line, time, score }
  })
}

/** Joins two sentences: Chinese ones without a space between them. */
const joined = (first: string, second: string): string =>
  /[。！？；：，”」』）]$/u.test(first) ? first + second : `${first} ${second}`

function chosen(candidates: readonly Candidate[], maxCount: number): readonly Candidate[] {
  const fitting = candidates
    .filter(({ shared, score }) => score >= (shared > 0 ? minShared : minAlone))
    .toSorted((a, b) => b.score + b.shared - (a.score + a.shared))
  const best = fitting[0]
  if (!best) return []
  const minScore = minShare * (best.score + best.shared)
  return fitting.filter(({ score, shared }) => score + shared >= minScore).slice(0, maxCount)
}

/**
 * Answers a question with the best matching sentences of the passages, each with the name of its source or its time, in the
 * language of the question; reports if nothing matches. That no language model answered is in its notice, not in its text.
 * Rejects when the signal aborts.
 */
export async function quoteAnswer(request: QuoteQuestion): Promise<QuotedAnswer> {
  const { question, passages, signal } = request
  signal.throwIfAborted()
  const language = request.language ?? languageOf(question)
  const words = quoteWords[language]
  const candidates = candidatesOf(passages, question)
  const { candidates: scored, byMeaning } =
    candidates.length > 0
      ? await ranked(candidates.slice(0, maxRanked), request)
      : { candidates, byMeaning: true }
  const quotes = completed(chosen(scored, request.maxQuotes ?? 3), question)
  const lines = quotes.map((quote, at) => {
    if (quote.time !== null) return `- “${quote.text}” [${quote.time}]`
    const cited = request.cites ? `<reference data-ref="${at + 1}"></reference>` : ''
    return `- “${quote.text}”${cited}${words.source(quote.source, placeOf(quote, words))}`
  })
  const body =
    quotes.length > 0
      ? [words.found, ...lines].join('\n')
      : passages.length > 0
        ? words.nothingFits
        : words.nothingThere
  return {
    text: body,
    quotes,
    reasoning: words.reasoning(passages.length, candidates.length, quotes.length, byMeaning),
    notice: byMeaning ? engineNotices.quotes : engineNotices.quotesByWords,
    language,
  }
}

/** Returns the page or the time of a quote; '' if unknown. */
const placeOf = ({ page, moment }: Quote, words: QuoteWords): string =>
  page !== null ? words.page(page) : moment ? formatClock(moment.seconds) : ''

/** Sentences around the quotes of an answer. */
interface QuoteWords {
  readonly found: string
  readonly nothingFits: string
  readonly nothingThere: string
  page(page: number): string
  source(source: string, place: string): string
  reasoning(passages: number, sentences: number, quotes: number, byMeaning: boolean): string
}

const quoteWords: Readonly<Record<AnswerLanguage, QuoteWords>> = {
  en: {
    found: 'This is what your own material says:',
    nothingFits: 'I found nothing in your material that answers this.',
    nothingThere: 'There’s no material to answer this from.',
    page: (page) => `p. ${page}`,
    source: (source, place) => ` (${source}${place && `, ${place}`})`,
    reasoning: (passages, sentences, quotes, byMeaning) =>
      `Chunks searched: ${passages}. Sentences ranked by ${byMeaning ? 'meaning and keywords' : 'keywords'}: ${sentences}. Sentences quoted: ${quotes}.`,
  },
  zh: {
    found: '你的资料中这样写道：',
    nothingFits: '我查看了你的资料，没有找到能回答这个问题的内容。',
    nothingThere: '我没有找到可以用来回答这个问题的资料。',
    page: (page) => `第 ${page} 页`,
    source: (source, place) => `（${source}${place && `，${place}`}）`,
    reasoning: (passages, sentences, quotes, byMeaning) =>
      `查看了 ${passages} 段资料、${sentences} 个句子，按${byMeaning ? '语义和共同词语' : '共同词语'}排序，保留 ${quotes} 句。`,
  },
}

/** Whether a text contains what a question asks for: a name, a time, a place. */
type AnswerCheck = (text: string) => boolean

const numbers =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|half|once|twice)\b|[〇零一二两三四五六七八九十百千万亿半]/iu
const times =
  /\d{3,4}|\d\s*(?::\d|o’?'?clock|[ap]\.?m\b)|\b(?:january|february|march|april|may \d|may of|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|dawn|dusk|sunrise|sunset|morning|afternoon|evening|night|today|yesterday|tomorrow|ago|century|spring|summer|autumn|winter|year|month|week|until)\b|[年月日号点时周]|星期|礼拜|世纪|上午|下午|早上|中午|晚上|夜里|今天|昨天|明天|去年|春|夏|秋|冬/iu
const places =
  /\b(?:in|at|on|under|below|above|near|beside|behind|inside|outside|between|from|to|into) (?:the |an? |its? |his |her |their |our |my )?\p{L}|(?<![现正存实])在\p{Script=Han}|位于|[省市县区镇村路街楼室馆站港湾]/u
const reasons =
  /\b(?:because|since|due to|owing to|so that|in order to|as a result|therefore|reasons?|causes?|caused|thanks to)\b|因为|由于|因而|因此|所以|为了|以便|原因|缘故|导致|使得|造成/iu

/** Capitalized words that are not names. */
const noNames = new Set(
  (
    'january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday he she they his its our my your however but after before ' +
    'while since although because later then today english chinese figure table chapter section page'
  ).split(' '),
)
const surnames =
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹苏潘葛范彭鲁韦马方俞任袁柳鲍史唐费薛雷贺汤罗郝邵康伍余顾孟黄萧尹姚汪毛戴宋庞熊纪舒屈项董梁杜阮蓝席季贾江郭梅林钟徐邱骆高夏蔡田樊胡凌霍万柯卢莫房丁邓洪包左石崔龚程陆翁段侯武刘龙叶白卓乔欧阳司马诸葛上官'
const chineseName = new RegExp(
  `(?:^|[\\p{P}\\s]|[是由与和及跟对向给让被把请找]|师|长|员|授|士|任|理|家|者|人)[${surnames}]\\p{Script=Han}{1,2}(?=[\\p{P}\\s]|[是在于的和与为把被说对将从向曾已用有按让提发带就也又还到]|先生|女士|$)|\\p{Script=Han}·\\p{Script=Han}|先生|女士`,
  'u',
)
const placeBefore = /^(?:in|at|from|to|near|of|the)$/i
const particle = /^(?:van|von|de|da|di|del|la|bin|al)$/

/** Whether a text names a person whom the question does not name. */
function namesPerson(text: string, question: ReadonlySet<string>): boolean {
  if (chineseName.test(text)) return true
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*\.?|[^\s\p{L}\p{N}]/gu) ?? []
  let run: string[] = []
  let start = 0
  const isName = (): boolean => {
    const [first = ''] = run
    const alone = run.length < 2
    if (alone && (start === 0 || placeBefore.test(words[start - 1] ?? ''))) return false
    return first !== ''
  }
  for (const [at, word] of [...words, ''].entries()) {
    const bare = word.replace(/['’]s$|\.$/u, '').toLowerCase()
    const capital = /^\p{Lu}(?:\p{Ll}|\.$)/u.test(word)
    if (capital && !noNames.has(bare) && !isQuestionWord(bare) && !question.has(bare)) {
      if (run.length === 0) start = at
      run.push(word)
    } else if (run.length === 0 || !particle.test(word)) {
      if (isName()) return true
      run = []
    }
  }
  return false
}

/** Returns a check for what a question word asks for; null if it asks for nothing that can be detected in a text. */
function answerCheckFor(question: string): AnswerCheck | null {
  if (/\bwh(?:o|om|ose)\b|谁|哪位|何人|什么人/iu.test(question)) {
    const named = new Set(queryTokens(question))
    return (text) => namesPerson(text, named)
  }
  const kinds: readonly (readonly [RegExp, RegExp])[] = [
    [
      /\bwhen\b|\b(?:what|which) (?:year|month|date|day|time)\b|什么时候|何时|几时|哪[一]?[年天月日]|几[年月号点]/iu,
      times,
    ],
    [
      /\bhow (?:many|much|long|old|far|often|big|tall|high|deep|heavy|fast)\b|多少|多[久长大高远深重快]|几/iu,
      numbers,
    ],
    [/\bwhere\b|哪里|哪儿|何处|何地|什么地方|在哪/iu, places],
    [/\bwhy\b|为什么|为何|为啥|怎么会/iu, reasons],
  ]
  const kind = kinds.find(([asks]) => asks.test(question))?.[1]
  return kind ? (text) => kind.test(text) : null
}

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
const isQuestionWord = (token: string): boolean =>
  questionWords.has(token) || questionPairs.test(token)
