import type { SlidePage } from './deck.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Returns a page as HTML, like the tool `insert_page` does (service-notes 10): no scripts, URLs or external content.
 */
export function pageHtml({ title, lines }: SlidePage): string {
  const items = lines
    .map(({ text, level, continued }) => {
      const mark = continued ? ';list-style:none' : ''
      return `<li style="margin-left:${level * 1.5}em${mark}">${escaped(text)}</li>`
    })
    .join('')
  const list = items && `<ul>${items}</ul>`
  return `<section style="width:1280px;height:720px;padding:72px;box-sizing:border-box;font-family:sans-serif"><h1>${escaped(title)}</h1>${list}</section>`
}
