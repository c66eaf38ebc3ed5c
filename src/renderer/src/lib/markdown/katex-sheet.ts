import sheet from 'katex/dist/katex.min.css?raw'

/**
 * URLs of the fonts in the built page. Files, never data: the content security policy only allows fonts from the page's origin.
 */
const fonts = import.meta.glob<string>('../../../../../node_modules/katex/dist/fonts/*.woff2', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})

/** KaTeX's style sheet with the URLs of its woff2 fonts, without the older font formats. */
function katexSheet(addresses: Readonly<Record<string, string>> = fonts): string {
  const byName = new Map(
    Object.entries(addresses).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
  )
  return sheet.replaceAll(/src:url\(fonts\/([\w-]+\.woff2)\)[^;}]*/g, (_, name: string) => {
    const url = byName.get(name)
    return url === undefined ? '' : `src:url("${url}") format("woff2")`
  })
}

/** Adds KaTeX's style sheet to the document, once. */
export function installKatexSheet(root: Document = document): void {
  if (root.getElementById('katex-sheet')) return
  const style = root.createElement('style')
  style.id = 'katex-sheet'
  style.textContent = katexSheet()
  root.head.append(style)
}
