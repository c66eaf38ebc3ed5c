/** Control characters except tab and line feed, and the two noncharacters. */
const noText = /[^\P{Cc}\t\n\u0085]|[\ufffe\uffff]|\p{Surrogate}/gu

/**
 * Returns text that XML 1.0 and UTF-8 can represent: control characters and lone surrogates are removed; line ends are
 * LF.
 */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(noText, '')
}

/** Escapes text between tags, or in an attribute with double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
