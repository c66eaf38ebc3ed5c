import { mediaType, readMedia } from '../../../lib/bridge/read-media.ts'

/**
 * Collects the style rules that match an element or its descendants. Fonts are fetched from the page's origin; missing ones are
 * omitted.
 */
export async function ownSheet(element: Element): Promise<string> {
  const rules: string[] = []
  const faces: CSSFontFaceRule[] = []
  for (const sheet of document.styleSheets) collect(sheet.cssRules, element, rules, faces)
  const families = new Set<string>()
  for (const one of element.querySelectorAll('.katex, .katex *'))
    for (const name of getComputedStyle(one).fontFamily.split(',')) families.add(bare(name))
  const used = faces.filter(({ style }) =>
    families.has(bare(style.getPropertyValue('font-family'))),
  )
  const fonts = await Promise.all(used.map(withFont))
  return [variables(rules.join('\n')), ...fonts, ...rules].join('\n')
}

const bare = (name: string): string => name.trim().replaceAll(/["']/g, '')

function collect(
  list: CSSRuleList,
  element: Element,
  rules: string[],
  faces: CSSFontFaceRule[],
): void {
  for (const rule of list) {
    if (rule instanceof CSSFontFaceRule) faces.push(rule)
    else if (rule instanceof CSSMediaRule) {
      if (matchMedia(rule.conditionText).matches) collect(rule.cssRules, element, rules, faces)
    } else if (rule instanceof CSSStyleRule && means(rule.selectorText, element))
      rules.push(rule.cssText)
  }
}

/** Whether a rule may match the element or its descendants, ignoring states and pseudo-elements. */
function means(selector: string, element: Element): boolean {
  const plain = selector.replaceAll(/::?(?:before|after|marker|hover|focus-visible|focus)\b/g, '')
  try {
    return element.matches(plain) || element.querySelector(plain) !== null
  } catch {
    // The rest of the selector is not a valid selector.
    return false
  }
}

/** Returns the CSS variables that rules use, with their values in the page. */
function variables(css: string): string {
  const names = new Set(css.match(/--[\w-]+/g))
  const values = getComputedStyle(document.documentElement)
  const lines = [...names].flatMap((name) => {
    const value = values.getPropertyValue(name)
    return value === '' ? [] : [`${name}:${value};`]
  })
  return `svg{${lines.join('')}}`
}

async function withFont(face: CSSFontFaceRule): Promise<string> {
  const address = /url\("?([^")]+)"?\)/.exec(face.style.getPropertyValue('src'))?.[1]
  const data =
    address === undefined ? null : await dataUrl(new URL(address, location.href).href, 'font/woff2')
  if (data === null) return ''
  const { style } = face
  const of = (name: string): string => `${name}:${style.getPropertyValue(name) || 'normal'};`
  return `@font-face{${of('font-family')}${of('font-style')}${of('font-weight')}src:url("${data}") format("woff2")}`
}

/** Returns the data URL of a resource of the app; null if unavailable. The type is requested if unknown. */
export async function dataUrl(address: string, known = ''): Promise<string | null> {
  const { signal } = new AbortController()
  const bytes = await readMedia(address, 0, signal)
  if (!bytes) return null
  const blob = new Blob([bytes], { type: known || (await mediaType(address, signal)) })
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null)
    reader.onerror = () => resolve(null)
    reader.readAsDataURL(blob)
  })
}
