/** Control characters but tab and line feed, and the two that are no characters. */
const noText = /[^\P{Cc}\t\n\u0085]|[\ufffe\uffff]|\p{Surrogate}/gu

/** Text as XML 1.0 and UTF-8 can hold it: control characters and halves of surrogate pairs are taken out; line ends are LF. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(noText, '')
}

/** Text between tags, or in an attribute with double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
