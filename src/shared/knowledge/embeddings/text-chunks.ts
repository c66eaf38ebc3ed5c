import { estimateTokens } from '../../text/token-estimate.ts'

/** Sentence ends in scripts with and without spaces. */
const sentenceEnds = /(?<=[.!?…]["”')\]]*)\s+|(?<=[。！？；]["”’）】]*)/u

/**
 * Splits a text into chunks of at most the given estimated tokens: whole paragraphs together if they fit, otherwise
 * whole sentences, otherwise cut. Only white space between chunks is omitted.
 */
export function splitIntoChunks(text: string, tokens: number): readonly string[] {
  const chunks: string[] = []
  let chunk = ''
  let held = 0
  const close = (): void => {
    if (chunk.trim() !== '') chunks.push(chunk.trim())
    chunk = ''
    held = 0
  }
  const take = (part: string, joint: string): void => {
    const { likely } = estimateTokens(part)
    if (chunk !== '' && held + likely > tokens) close()
    chunk += chunk === '' ? part : joint + part
    held += likely
  }
  for (const paragraph of text.replace(/\r\n?/g, '\n').split(/\n[^\S\n]*\n/)) {
    if (estimateTokens(paragraph).likely <= tokens) {
      take(paragraph.trim(), '\n\n')
      continue
    }
    close()
    for (const sentence of paragraph.split(sentenceEnds))
      for (const part of cut(sentence, tokens)) take(part, /[。！？；]$/u.test(chunk) ? '' : ' ')
    close()
  }
  close()
  return chunks
}

/** Cuts a sentence that is too long, near white space if possible. */
function cut(sentence: string, tokens: number): readonly string[] {
  if (estimateTokens(sentence).likely <= tokens) return [sentence]
  const parts: string[] = []
  let rest = sentence
  while (estimateTokens(rest).likely > tokens) {
    let end = Math.max(1, Math.floor((rest.length * tokens) / estimateTokens(rest).likely))
    while (end > 1 && estimateTokens(rest.slice(0, end)).likely > tokens)
      end = Math.floor(end * 0.9)
    const space = rest.lastIndexOf(' ', end)
    if (space > end / 2) end = space
    // Do not split a surrogate pair.
    if ((rest.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}
