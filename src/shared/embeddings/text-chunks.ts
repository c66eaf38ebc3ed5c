import { estimateTokens } from '../text/token-estimate.ts'

/** Ends of sentences, in scripts with spaces and without. */
const sentenceEnds = /(?<=[.!?…]["”')\]]*)\s+|(?<=[。！？；]["”’）】]*)/u

/**
 * A text in pieces of at most so many likely tokens: whole paragraphs together where they fit, else whole sentences, else cut. Nothing
 * is left out but white space between pieces.
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

/** A sentence that is too long, cut where white space is near. */
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
    // A character of two units is not parted.
    if ((rest.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}
