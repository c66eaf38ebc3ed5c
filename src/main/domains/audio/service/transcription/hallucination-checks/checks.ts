import { deflateSync } from 'node:zlib'
import type { Flag, Span } from '../../../../../../shared/model/meeting.ts'
import { fold } from '../../../../../../shared/text/fold.ts'
import { wordsOf, isSingle, plainWords, weightOf, type Word } from '../word-units.ts'

/** Data for checking an answer. */
interface Evidence {
  readonly text: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly voicedMs: number
}

/** Returns the flags of an answer with text; most have none. */
export function checkText({ text, prompt, hotwords, voicedMs }: Evidence): readonly Flag[] {
  const words = wordsOf(text)
  const flags: Flag[] = []
  if (repeatsItself(words) || deflatesTooWell(text)) flags.push('loop')
  if (isTooFast(text, voicedMs)) flags.push('too-fast')
  if (echoesPrompt(words, prompt)) flags.push('prompt-echo')
  if (echoesHotwords(words, hotwords)) flags.push('hotword-echo')
  if (isStockPhrase(text)) flags.push('describes-silence')
  return flags
}

/** Milliseconds of voice in a range; all of it if no voice activity is known. */
export function voicedMsOf(span: Span, voiced: readonly Span[]): number {
  const inside = voiced.reduce(
    (sum, { startMs, endMs }) =>
      sum + Math.max(0, Math.min(endMs, span.endMs) - Math.max(startMs, span.startMs)),
    0,
  )
  return inside > 0 ? inside : span.endMs - span.startMs
}

/** Maximum characters per second of speech: of alphabets, and of scripts without spaces (service-notes 17.3). */
const lettersPerSecond = 25
const singlesPerSecond = 12
/** Minimum duration assumed, in seconds: voice activity misses the edges of words. */
const minSeconds = 1

/** Whether the text has more characters than anyone can say in this much voice. */
function isTooFast(text: string, voicedMs: number): boolean {
  let needed = 0
  for (const character of text) {
    if (isSingle(character)) needed += 1 / singlesPerSecond
    else if (!/\s/.test(character)) needed += 1 / lettersPerSecond
  }
  return needed > Math.max(minSeconds, voicedMs / 1000)
}

/** Minimum length in words: people also repeat shorter texts ("yes, thank you"); a Han character counts half. */
const minWeight = 4

/** Whether the text is the end of the prompt: the engine repeated it instead of transcribing (service-notes 17.3). */
function echoesPrompt(words: readonly Word[], prompt: string): boolean {
  if (weightOf(words) < minWeight) return false
  const given = plainWords(prompt)
  if (given.length < words.length) return false
  const from = given.length - words.length
  return words.every(({ text }, at) => text === given[from + at])
}

/** Minimum number of hotwords: anyone may say fewer in a sentence. */
const minHotwords = 3
/** Share of hotwords in the text, and share of the hotword list in the text (OpenWhispr's rule, service-notes 17.3). */
const mostlyHotwords = 0.9
const maxOfTheList = 0.7

/** Whether the text is little more than the list of hotwords. */
function echoesHotwords(words: readonly Word[], hotwords: readonly string[]): boolean {
  if (words.length === 0 || hotwords.length < minHotwords) return false
  const listed = hotwords.map((word) => plainWords(fold(word)))
  const known = new Set(listed.flat())
  const spoken = new Set(words.map(({ text }) => text))
  const covered = words.filter(({ text }) => known.has(text)).length
  const used = listed.filter((word) => word.length > 0 && word.every((part) => spoken.has(part)))
  return covered >= words.length * mostlyHotwords && used.length >= hotwords.length * maxOfTheList
}

/** Maximum length of a group of words whose direct repetition is detected. */
const maxGroupLength = 40
/** Number of consecutive repetitions that make a loop (service-notes 17.3). */
const times = 3
/**
 * Minimum number of words in the repetition. People repeat fewer: "no no no", "ha ha ha ha", counting, 对对对对对. A refrain
 * of four words three times exceeds it, and is flagged at worst.
 */
const minWords = 8

/** Minimum share of the text that the repetition must cover. */
const minShare = 1 / 3

/** Whether a group of words occurs three or more times in a row, and this is a large part of the text. */
function repeatsItself(words: readonly Pick<Word, 'text'>[]): boolean {
  for (let size = 1; size <= Math.min(maxGroupLength, Math.floor(words.length / times)); size++) {
    // Consecutive words that equal the word `size` places before them.
    let same = 0
    for (let at = size; at < words.length; at++) {
      same = words[at]?.text === words[at - size]?.text ? same + 1 : 0
      const covered = same + size
      const long = covered >= minWords && covered >= words.length * minShare
      if (long && same >= size * (times - 1)) return true
    }
  }
  return false
}

/** Bytes of UTF-8 below which zlib's own overhead dominates. */
const minBytes = 120
/** Maximum compression ratio: ordinary speech compresses to about half; Whisper's own limit is 2.4. */
const maxRatio = 2.4

/** Whether the text compresses so well that it must be repetitive (Whisper's rule: more than 2.4 times). */
function deflatesTooWell(text: string): boolean {
  const bytes = Buffer.from(text.trim(), 'utf8')
  return bytes.length >= minBytes && bytes.length / deflateSync(bytes).length > maxRatio
}

/**
 * Phrases that engines write over music, noise and silence because so many films end with them, in the languages where it was
 * reported (service-notes 17.3). Someone may really say them: such a text is flagged and never removed.
 */
const phrases: readonly RegExp[] = [
  /^thank(s| you)( so| very)?( much)? for (watching|listening|your attention)( (this|my|the) (video|channel))?$/,
  /^(please |don'?t forget to )?(like,?( and| comment,? and)? )?subscribe( to (my|the|our) channel)?$/,
  /^(see|catch) you( all)? in the next (video|one|episode)$/,
  /^(subtitles|captions|transcription|transcribed)( (created|made|provided))? by .{2,60}$/,
  /^(请)?(不吝)?点赞.{0,4}订阅.{0,4}转发.{0,20}$/,
  /^(谢谢|感谢)(大家|您|你)?(的)?(观看|收看|收听)$/,
  /^(字幕|字幕制作|中文字幕|字幕志愿者|字幕由).{1,30}$/,
  /^(请)?(记得)?(订阅|关注)(我的|我们的)?(频道|账号)$/,
  /^(ご視聴|ご清聴)(いただき)?ありがとうございま(した|す)$/,
  /^(チャンネル登録).{0,20}$/,
  /^(시청|구독)(해 ?주셔서)? ?감사합니다$/,
  /^untertitel( der amara\.org-community| im auftrag des .{2,40}| von .{2,40})$/,
  /^(vielen dank|danke)( fur(s)? (zuschauen|zuhoren))$/,
  /^sous-titr(es|age)( realises)?( par| fait par)? .{2,60}$/,
  /^merci d'avoir regarde( cette video)?$/,
  /^(subtitulos|subtitulado)( realizados)? por .{2,60}$/,
  /^gracias por (ver|mirar)( el video| este video)?$/,
  /^legendas? (pela|por) .{2,60}$/,
  /^(субтитры|редактор субтитров) .{2,80}$/,
  /^(продолжение следует|спасибо за просмотр)$/,
  /^(اشتركوا في القناة|شكرا (لكم )?على المشاهدة|ترجمة .{2,40})$/,
]

/** Maximum length of text that is checked: longer text is real speech. */
const maxLength = 120

/** Whether the whole text is one stock phrase. */
function isStockPhrase(text: string): boolean {
  if (text.length > maxLength) return false
  const plain = fold(text)
    .replaceAll('’', "'")
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
    .replace(/\s+/g, ' ')
  return phrases.some((phrase) => phrase.test(plain))
}
