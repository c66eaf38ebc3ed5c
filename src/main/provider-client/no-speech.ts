/**
 * Sentences by which speech models report that there was no speech, as patterns over the whole answer after {@link
 * normalised}. They must not match anything a person would say: "no", "thank you" or "silence" alone in a sentence of others
 * are speech. A bare "silence" is accepted only in brackets, as captions write it.
 */
const sentences: readonly RegExp[] = [
  // English
  /^(there( is| was|'s) )?no (audible |discernible |recogni[sz]able |clear |human |spoken |intelligible )*(speech|voice|voices|spoken words|audio|sound|speech content|audio content)( (is |was )?(detected|found|heard|present|recogni[sz]ed|audible|in (the|this) (audio|recording|clip|file)))*$/,
  /^(the|this) (audio|recording|clip|file|sound)( clip| file| recording)? (is|was|appears to be|seems to be) (completely |entirely |mostly |just )?(silent|silence|empty|blank|inaudible)$/,
  /^(the|this) (audio|recording|clip|file|sound)( clip| file| recording)? (contains|has|consists of) (only |no |just )(silence|speech|voice|voices|audible speech|spoken words|words|sound|noise|background noise)$/,
  /^(the|this) (audio|recording|clip|file) (does not|doesn't) contain (any )?(audible |recogni[sz]able |human |clear )*(speech|words|voice|voices|sound)$/,
  /^this audio contains silence$/,
  /^the sound of (silence|static|white noise|wind|breathing|an? [a-z]+ing|[a-z]+ing)$/,
  /^(silence|blank[_ ]audio|no[_ ]speech|inaudible|unintelligible) only$/,
  // Chinese
  /^(这段|该|本|此)?(音频|录音|语音)?(文件)?(里|中|内)?(没有|未|无|并未|未能)(检测到|识别到|听到|发现|包含|有)?(任何|有效的|有效|清晰的|可识别的|人的)*(语音|人声|声音|说话声|讲话|内容|语音内容|有效语音)(内容)?$/,
  /^(这段|该|本|此)?(音频|录音)(文件)?(是|为|只有|全是|完全)?(静音|无声|空白|空的)(的)?$/,
  /^(静音|无声|无语音|无人声|空白音频)$/,
]

/** Captions of silence that some engines write, in brackets and with nothing else around them. */
const captions =
  /^(?:[[(（【<*♪]+\s*(?:silence|silent|blank[_ ]?audio|no[_ ]?(?:speech|audio|sound|voice)|inaudible|unintelligible|静音|无声|无语音|空白)\s*[\])）】>*♪]+[\s.。]*)+$/i

/**
 * Returns true when the answer contains no speech: empty, only punctuation, or as a whole one of the sentences that describe
 * silence.
 */
export function isNoSpeech(text: string): boolean {
  const trimmed = text.trim()
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return true
  if (trimmed.length > 120) return false
  if (captions.test(trimmed)) return true
  const plain = normalised(trimmed)
  return sentences.some((sentence) => sentence.test(plain))
}

/** Returns the text in lower case with straight apostrophes, single spaces and no closing punctuation. */
function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^["'“”「『\s]+|["'“”」』\s.。!！…]+$/gu, '')
    .replace(/\s+/g, ' ')
}
