import type { Page } from 'playwright-core'

/** Finds in the page what is cut off, overlaps other text or cannot be scrolled to. */
function layoutProblems(): string[] {
  const found: string[] = []
  const modal = [...document.querySelectorAll('dialog:modal, [popover]:popover-open')].at(-1)
  const scope = modal ?? document.body
  const describe = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} “${(element.textContent || element.getAttribute('aria-label') || '').trim().replaceAll(/\s+/g, ' ').slice(0, 50)}”`
  /** Text that is shortened by design has an ellipsis. */
  const shortened = (style: CSSStyleDeclaration): boolean =>
    style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
  const ownText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
  const hidden = (element: Element): boolean =>
    element.closest('[aria-hidden=true], [inert], canvas, svg') !== null ||
    // For screen readers only.
    getComputedStyle(element).clipPath === 'inset(50%)' ||
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const textRect = (element: Element): DOMRect => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect()
  }
  const parentOf = (element: Element): Element | null =>
    getComputedStyle(element).position === 'fixed' || element === modal
      ? null
      : element.parentElement

  const controls = 'button, a[href], input, select, textarea, summary, [role=tab]'
  const candidates = [...scope.querySelectorAll<HTMLElement>('*')].filter(
    (element) => !hidden(element) && (element.matches(controls) || ownText(element)),
  )
  for (const element of candidates) {
    const rect = element.matches(controls) ? element.getBoundingClientRect() : textRect(element)
    if (rect.width < 2 || rect.height < 2) continue
    let { left, right, top, bottom } = rect
    let problem = ''
    for (let box: Element | null = element; box && !problem; box = parentOf(box)) {
      const style = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      const clips = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'
      const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll'
      if (box !== element || !element.matches(controls)) {
        if (shortened(style)) ({ left, right, top, bottom } = edge)
        if (clips(style.overflowX) && (left < edge.left - 1.5 || right > edge.right + 1.5))
          problem = `cut off horizontally by ${describe(box)}`
        if (clips(style.overflowY) && (top < edge.top - 1.5 || bottom > edge.bottom + 1.5))
          problem = `cut off vertically by ${describe(box)}`
      }
      if (scrolls(style.overflowX) && (left < edge.left - 1 || right > edge.right + 1))
        ({ left, right } = edge)
      if (scrolls(style.overflowY) && (top < edge.top - 1 || bottom > edge.bottom + 1))
        ({ top, bottom } = edge)
    }
    if (!problem && (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1))
      problem = 'outside the window'
    if (problem) found.push(`${describe(element)}: ${problem}`)
  }

  // Only what is read or drawn at its own size scrolls to the side.
  const wide = 'pre, table, textarea, input, [role=grid], [data-page], .md-formula'
  for (const box of scope.querySelectorAll('*')) {
    const { overflowX } = getComputedStyle(box)
    if (overflowX !== 'auto' && overflowX !== 'scroll') continue
    if (box.scrollWidth <= box.clientWidth + 1 || hidden(box)) continue
    if (!box.matches(wide) && !box.querySelector(wide))
      found.push(`${describe(box)}: scrolls horizontally`)
  }

  /** What lies above others by design: panes, bars, popovers; rows of lists are positioned next to each other. */
  const layer = (element: Element | null): Element | null => {
    for (let box = element; box && box !== scope; box = box.parentElement)
      if (/absolute|fixed|sticky/.test(getComputedStyle(box).position) && !box.matches('.row'))
        return box
    return scope
  }
  const contains = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean =>
    left < x && x < right && top < y && y < bottom
  const texts = candidates.filter((element) => ownText(element))
  for (const element of texts) {
    // The text of an ellipsis continues beyond its box, unseen.
    const isShort = shortened(getComputedStyle(element))
    const { left, right, top, bottom } = isShort
      ? element.getBoundingClientRect()
      : textRect(element)
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const hit = document.elementFromPoint(x, y)
    if (!hit || !ownText(hit) || hit.contains(element) || element.contains(hit)) continue
    if (layer(hit) !== layer(element) || !contains(textRect(hit), x, y)) continue
    // Scrolled out of its box.
    let box = element.parentElement
    while (
      box &&
      (getComputedStyle(box).overflowY === 'visible' || contains(box.getBoundingClientRect(), x, y))
    )
      box = box.parentElement
    if (!box) found.push(`${describe(element)}: covered by ${describe(hit)}`)
  }
  return [...new Set(found)]
}

/** Returns what does not fit in the window with text of twice the size. */
export async function largeTextProblems(page: Page): Promise<string[]> {
  const scaled = (size: string): Promise<void> =>
    page.evaluate(async (fontSize) => {
      document.documentElement.style.fontSize = fontSize
      await new Promise((resolve) => setTimeout(resolve, 200))
    }, size)
  await scaled('200%')
  try {
    return await page.evaluate(layoutProblems)
  } finally {
    await scaled('')
  }
}
