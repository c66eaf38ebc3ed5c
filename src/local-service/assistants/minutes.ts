import { engineNames } from '../../shared/provider/engine-names.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { readMinutesBlock, type MinutesRequest } from '../../shared/provider/minutes.ts'
import { contentWords, stemOf } from '../../shared/text/content-words.ts'
import { sentencesOf } from './sentences.ts'
import type { Ask, SkillAnswer } from './skill.ts'

/** Maximum points of a section after the parts of a long meeting are joined. */
const maxJoined = 60

/**
 * Answers a request to summarize a meeting: spoken sentences under the requested headings, each with its lines. Null for any
 * other question.
 */
export function answerMinutes({ question }: Pick<Ask, 'question'>): SkillAnswer | null {
  const request = readMinutesBlock(question)
  if (!request) return null
  const found = request.body === 'points' ? joined(request) : picked(request)
  const text = request.sections
    .map(({ title }, at) => [`## ${at + 1}. ${title}`, ...(found[at] ?? []).map(bullet)].join('\n'))
    .join('\n\n')
  return {
    text,
    toolCalls: [],
    engine: engineNames.sentencePicker,
    notice: engineNotices.sentencesPicked,
  }
}

const bullet = ({ text, lines }: Picked): string =>
  `- ${text}${lines.length > 0 ? ` [${lines.join(', ')}]` : ''}`

function picked({ sections, lines }: MinutesRequest): readonly (readonly Picked[])[] {
  const sentences = transcriptSentences(lines)
  return sections.map((section) => pickFor(kindOf(section), section, sentences))
}

/** Joins points under their titles without duplicates; too many are thinned out evenly. */
function joined({ sections, lines }: MinutesRequest): readonly (readonly Picked[])[] {
  const points = earlierPoints(lines)
  return sections.map(({ title }) => thinned(once(points.filter((one) => one.title === title))))
}

function once(points: readonly EarlierPoint[]): readonly Picked[] {
  const known = new Map<string, Picked>()
  for (const { text, lines } of points) {
    const same = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
    const before = known.get(same)
    known.set(
      same,
      before ? { ...before, lines: [...new Set([...before.lines, ...lines])] } : { text, lines },
    )
  }
  return [...known.values()]
}

const thinned = (points: readonly Picked[]): readonly Picked[] => {
  const step = Math.max(1, points.length / maxJoined)
  return Array.from(
    { length: Math.min(points.length, maxJoined) },
    (_, at) => points[Math.floor(at * step)],
  ).filter((one) => one !== undefined)
}

/** A point of the answer: quoted text, with its lines. */
interface Picked {
  readonly text: string
  readonly lines: readonly number[]
}

/** Maximum points of a section selected by cue words, and maximum topics. */
const maxPoints = 20
const maxTopics = 6
const maxTopicWords = 200
const maxLinesOfTopic = 12
const gistPoints = 3
/** Minimum words of a sentence that makes sense alone. */
const fewestWords = 3

/** Selects the sentences of a section, in chronological order. Nothing is rephrased. */
function pickFor(
  kind: SectionKind,
  section: { readonly title: string; readonly instruction: string },
  sentences: readonly Sentence[],
): readonly Picked[] {
  switch (kind) {
    case 'decisions':
    case 'actions':
    case 'questions':
      return best(ofKind(kind, sentences), maxPoints)
    case 'gist':
      return best(
        sentences.filter(({ text }) => says(text)),
        gistPoints,
      )
    case 'topics':
      return topicsOf(sentences)
    case 'about':
      return about(`${section.title} ${section.instruction}`, sentences)
  }
}

/** Number of sentences after the start of a recap that may still belong to it. */
const recapReach = 12

function ofKind(
  kind: 'decisions' | 'actions' | 'questions',
  sentences: readonly Sentence[],
): readonly Sentence[] {
  let recapped = Number.NEGATIVE_INFINITY
  return sentences.filter(({ text, speaker }, at) => {
    if (isRecap(text)) {
      recapped = at
      return false
    }
    if (!says(text)) return false
    const isRecapped = at - recapped <= recapReach && isCounted(text)
    if (isRecapped) recapped = at
    if (kind === 'decisions') return isRecapped || fitsKind(kind, text)
    if (isRecapped || !fitsKind(kind, text)) return false
    const next = sentences[at + 1]
    // Another speaker answers yes or no: the question is not open.
    return !(kind === 'questions' && next && next.speaker !== speaker && isPlainAnswer(next.text))
  })
}

const says = (text: string): boolean =>
  /\p{sc=Han}/u.test(text)
    ? (text.match(/\p{sc=Han}/gu)?.length ?? 0) >= 4
    : text.split(/\s+/).length >= fewestWords

const point = ({ speaker, text, lines }: Sentence): Picked => ({
  text: speaker === '' ? text : `${speaker}: ${text}`,
  lines,
})

interface Weighed {
  readonly sentence: Sentence
  readonly at: number
  readonly words: readonly string[]
}

const weighed = (sentences: readonly Sentence[]): readonly Weighed[] =>
  sentences.map((sentence, at) => ({
    sentence,
    at,
    words: [...new Set(contentWords(sentence.text).map(stemOf))],
  }))

/** Number of sentences that contain each word. */
function spreadOf(all: readonly Weighed[]): ReadonlyMap<string, number> {
  const spread = new Map<string, number>()
  for (const word of all.flatMap(({ words }) => words))
    spread.set(word, (spread.get(word) ?? 0) + 1)
  return spread
}

/** Returns the sentences that share the most words with the others, in chronological order. */
function best(sentences: readonly Sentence[], maxCount: number): readonly Picked[] {
  const all = weighed(sentences)
  const spread = spreadOf(all)
  const score = ({ words }: Weighed): number =>
    words.reduce((sum, word) => sum + (spread.get(word) ?? 0), 0) / Math.sqrt(words.length + 4)
  return all
    .toSorted((a, b) => score(b) - score(a) || a.at - b.at)
    .slice(0, maxCount)
    .toSorted((a, b) => a.at - b.at)
    .map(({ sentence }) => point(sentence))
}

/**
 * Returns the most frequent words, each with its fullest sentence and all lines that contain it, in order of first occurrence.
 */
function topicsOf(sentences: readonly Sentence[]): readonly Picked[] {
  const all = weighed(sentences)
  const spread = spreadOf(all)
  const shown = shownForms(sentences)
  const topics: { readonly at: number; readonly topic: Picked }[] = []
  const taken = new Set<Sentence>()
  const ranked = [...spread]
    .filter(([, times]) => times >= 2)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, maxTopicWords)
  for (const [word] of ranked) {
    if (topics.length >= maxTopics) break
    const mentions = all.filter(({ words }) => words.includes(word))
    const free = mentions.filter(({ sentence }) => !taken.has(sentence) && says(sentence.text))
    const fullest = free.toSorted((a, b) => b.words.length - a.words.length || a.at - b.at)[0]
    // A word whose sentences already belong to other topics is not a topic of its own.
    if (!fullest || free.length * 2 < mentions.length) continue
    for (const { sentence } of mentions) taken.add(sentence)
    const lines = [...new Set(mentions.flatMap(({ sentence }) => sentence.lines))]
    const { text, lines: own } = fullest.sentence
    const rest = lines.filter((line) => !own.includes(line))
    const named = [...own, ...rest].slice(0, maxLinesOfTopic).toSorted((a, b) => a - b)
    topics.push({
      at: mentions[0]?.at ?? 0,
      topic: { text: `${shown.get(word) ?? word}: ${text}`, lines: named },
    })
  }
  return topics.toSorted((a, b) => a.at - b.at).map(({ topic }) => topic)
}

/** The first spoken form of each stem, capitalized. */
function shownForms(sentences: readonly Sentence[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const word of sentences.flatMap(({ text }) => contentWords(text))) {
    const stem = stemOf(word)
    if (!forms.has(stem)) forms.set(stem, word.charAt(0).toUpperCase() + word.slice(1))
  }
  return forms
}

/** Returns sentences that share words with the request. */
function about(question: string, sentences: readonly Sentence[]): readonly Picked[] {
  const wanted = new Set(contentWords(question).map(stemOf))
  const sharing = sentences.filter(
    ({ text }) => says(text) && contentWords(text).some((word) => wanted.has(stemOf(word))),
  )
  return best(sharing, maxPoints)
}

/** A sentence of a transcript, or a point of an earlier answer. */
interface Sentence {
  readonly text: string
  /** Speaker; empty for a point. */
  readonly speaker: string
  /** Transcript lines it is based on. */
  readonly lines: readonly number[]
}

/** A point with the title of its section. */
interface EarlierPoint extends Sentence {
  readonly title: string
}

/** Brackets would be parsed as line numbers in the answer. */
const unbracketed = (text: string): string =>
  text.replaceAll(/[[【［]/gu, '(').replaceAll(/[\]】］]/gu, ')')

/** Returns the sentences of numbered lines (`[12] 3:45 Name: words`); other rows are ignored. */
function transcriptSentences(rows: readonly string[]): readonly Sentence[] {
  return rows.flatMap((row) => {
    const found = /^\[(\d{1,7})\] \d+(?::\d{2}){1,2} ([^:：]{0,120})[:：] ?(.*)$/u.exec(row)
    if (!found) return []
    const [, number = '', speaker = '', words = ''] = found
    return sentencesOf(unbracketed(words)).map((text) => ({
      text,
      speaker: unbracketed(speaker),
      lines: [Number(number)],
    }))
  })
}

/** Returns the points of earlier answers (`Title | words [3, 7]`). */
function earlierPoints(rows: readonly string[]): readonly EarlierPoint[] {
  return rows.flatMap((row) => {
    const found = /^(.{0,200}?) \| (.*?)(?: \[([\d, ]*)\])?$/u.exec(row)
    if (!found) return []
    const [, title = '', words = '', numbers = ''] = found
    const lines = (numbers.match(/\d{1,7}/g) ?? []).map(Number)
    return [{ title, text: unbracketed(words), speaker: '', lines }]
  })
}

/** Criterion for the points of a section; `about`: the words of the section itself. */
type SectionKind = 'decisions' | 'actions' | 'questions' | 'gist' | 'topics' | 'about'

const kinds: readonly (readonly [SectionKind, RegExp])[] = [
  ['questions', /\bquestions?\b|\bunresolved\b|\bput off\b|问题|未决|疑问|悬而/iu],
  ['decisions', /\bdecisions?\b|\bdecided\b|\bagreements?\b|决定|决策|决议|结论/iu],
  ['actions', /\bactions?\b|\bto-?dos?\b|\btasks?\b|\bnext steps?\b|行动|待办|任务|下一步/iu],
  ['topics', /\btopics?\b|\bthemes?\b|\bsubjects?\b|主题|议题|话题/iu],
  [
    'gist',
    /\bin short\b|\boverview\b|\bsummary\b|\bgist\b|\bhighlights?\b|概要|摘要|纪要|概述|总结|要点/iu,
  ],
]

/** Returns the kind of a section by its title, or else by its instruction. */
function kindOf(section: { readonly title: string; readonly instruction: string }): SectionKind {
  const named = (text: string): SectionKind | undefined =>
    kinds.find(([, cue]) => cue.test(text))?.[0]
  return named(section.title) ?? named(section.instruction) ?? 'about'
}

const decided =
  /\b(?:we|they|i)(?:'ve| have)? (?:(?:all|just|finally|also|already) )*(?:decided|agreed|settled|concluded|chose)\b|\b(?:it is|it's|that's|that is|it was) (?:decided|agreed|settled)\b|\b(?:the|our) (?:decision|agreement|conclusion) is\b|\b(?:we'll|we will|let's|let us) (?:go with|stick with|stay with|use|keep|drop|cancel|postpone|move (?:it|the|this))\b|^(?:so |and )?then (?:we|the) (?!are\b|is\b)[a-z]+|\bgo ahead with\b|\b(?:is|are|was|were) approved\b|决定|定下来|定为|达成一致|一致同意|通过了|结论是|就这么定|敲定|批准/iu

const promised =
  /\b(?:i|we|you|they|he|she|[a-z]+)(?:'ll| will| shall) (?!be\b|have been\b|not\b|never\b)[a-z]+|\b(?:i'm|i am|we're|we are) going to (?!be\b)[a-z]+|\b(?:can|could|would) you (?:please )?[a-z]+|\bplease [a-z]+|\b(?:i|we|you|they|he|she) (?:(?:need|needs|have|has) to|must|should) [a-z]+|\blet me (?:check|find out|ask|send|look into|take care)\b|\baction item\b|\b(?:by|before|until) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next|the end|end of)\b|负责|来做|去做|跟进|我会|我来|你来|请你|请把|请在|需要在|必须在|之前完成|之前提交|之前给|下周[一二三四五六日天]?(?:之)?前|尽快|安排一下|整理一下|确认一下|发给/iu

const questionPattern =
  /[?？]["'”’)\]」』）]*$|(?:吗|呢|么)[。.!！]*$|^(?:who|what|when|where|why|how|which|whose|is|are|do|does|did|can|could|should|will|would|shall|have|has)\b[^.!]*$/iu

const putOff =
  /\b(?:open question|not (?:yet )?(?:decided|clear|sure|settled)|still (?:open|unclear|undecided)|remains? (?:open|unclear)|(?:come|get|circle) back to (?:that|this|it)|(?:discuss|decide|settle) (?:that|this|it) (?:later|next)|put (?:that|this|it) off|to be (?:decided|confirmed)|we don't know)\b|还没(?:有)?(?:定|决定|确定|想好)|尚未|待定|不确定|以后再|回头再|下次再|暂时搁置|再讨论/iu

const requested =
  /\b(?:can|could|would|will) (?:you|somebody|someone)\b|\bplease\b|请|能不能|麻烦/iu

/** Courtesies that look like promises or questions but are not. */
const courtesy =
  /^(?:(?:yes|yeah|ok|okay|well|so|and|right)[, ]+)*(?:(?:how are you|can you (?:all )?(?:hear|see) (?:me|us|my screen|this)|(?:is|are) (?:everyone|everybody|you) (?:there|here|ready)|any(?:thing| other) questions?|right|really|shall we (?:start|begin)|i(?:'ll| will) see you|see you|let me (?:see|think|know)|you know)\b[^.!?]*)[.!?]*$|^(?:(?:大家好|各位好|你好|喂|听得到吗|能听到吗|听得见吗|对吧|是吧|是吗|好吗|对不对)[，。？?!！]*)+$/iu

/** Whether a sentence is of a kind, by cue words in English and Chinese. */
function fitsKind(kind: 'decisions' | 'actions' | 'questions', sentence: string): boolean {
  if (courtesy.test(sentence)) return false
  const isQuestion = questionPattern.test(sentence)
  if (kind === 'questions') return isQuestion || putOff.test(sentence)
  if (kind === 'decisions') return !isQuestion && decided.test(sentence) && !putOff.test(sentence)
  // A request may be phrased as a question; something left to be settled is not an action.
  if (isQuestion) return requested.test(sentence)
  return promised.test(sentence) && !putOff.test(sentence) && !decided.test(sentence)
}

const recap =
  /\b(?:repeat|recap|sum up|summari[sz]e|list|go (?:over|through)|here are|these are)\b.*\bdecisions\b|\bdecisions (?:are|were)\b|(?:总结|重复|回顾|确认|说)一下.*(?:决定|决议|结论)|(?:决定|决议|结论)(?:如下|有)/iu
const counted =
  /^(?:(?:and|then)[, ]+)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|finally|number \w+|one|two|three|four|five)\b[,:]|^(?:and )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth)(?:ly)?\b|^(?:第[一二三四五六七八九十]|首先|其次|然后|最后)/iu

/** Whether a sentence announces a recap of decisions. */
const isRecap = (sentence: string): boolean => recap.test(sentence)

/** Whether a sentence is an item of a spoken list. */
const isCounted = (sentence: string): boolean => counted.test(sentence)

/** Whether a sentence directly answers the preceding question. */
const isPlainAnswer = (sentence: string): boolean =>
  /^(?:yes|yeah|yep|no|nope|exactly|sure|of course|correct|absolutely|certainly)\b|^(?:是的|对[，。,.!！的]|可以|不行|没问题|当然|不用)/iu.test(
    sentence,
  )
