import { fitsKind, isCounted, isPlainAnswer, isRecap, type SectionKind } from './minutes-cues.ts'
import { contentWords, stemOf } from './minutes-keywords.ts'
import type { Sentence } from './minutes-lines.ts'

/** A point of the answer: quoted text, with its lines. */
export interface Picked {
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
export function pickFor(
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
  const topics: { readonly at: number; readonly picked: Picked }[] = []
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
      picked: { text: `${shown.get(word) ?? word}: ${text}`, lines: named },
    })
  }
  return topics.toSorted((a, b) => a.at - b.at).map(({ picked }) => picked)
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
