import { fold } from '../../../../../shared/text/fold.ts'

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
export function isStockPhrase(text: string): boolean {
  if (text.length > maxLength) return false
  const plain = fold(text)
    .replaceAll('’', "'")
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
    .replace(/\s+/g, ' ')
  return phrases.some((phrase) => phrase.test(plain))
}
