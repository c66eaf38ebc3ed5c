import { mediaType, readMedia } from '../../../api/read-media.ts'

/** Collects the style rules that mean an element of the page or something in it. Fonts are fetched from the page's own place; one that cannot be is left out. */
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

/** Whether a rule may mean the element or something in it, states and generated parts left aside. */
function means(selector: string, element: Element): boolean {
  const plain = selector.replaceAll(/::?(?:before|after|marker|hover|focus-visible|focus)\b/g, '')
  try {
    return element.matches(plain) || element.querySelector(plain) !== null
  } catch {
    // What is left of the selector is none.
    return false
  }
}

/** The variables that rules use, as the page has them. */
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

/** What lies at an address of the app's own, as an address that holds it; null when it cannot be had. The type is asked for where it is not known. */
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
