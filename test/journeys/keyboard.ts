import type { Locator, Page } from 'playwright-core'

/** What a person does next to move the focus to a control. */
interface Move {
  /** Key that moves the focus closer to the control; null if the control has the focus. */
  readonly key: string | null
  /** Key that uses the control once it has the focus; null for fields. */
  readonly use: string | null
  /** Number of controls that Tab reaches. */
  readonly stops: number
}

/** Decides in the page how the focus gets to a control: through a group with arrow keys, otherwise with Tab. */
function nextMove(element: Element, direction: string | null): Move {
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const control =
    element.closest('[role=option]') ??
    element.closest('label')?.control ??
    element.closest(focusable) ??
    element.querySelector(focusable)
  if (!(control instanceof HTMLElement)) throw new Error('It can’t have the focus')
  const active = document.activeElement ?? document.body
  const position = (a: Element, b: Element): number => {
    const [first, second] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
    return first.top - second.top || first.left - second.left
  }
  const arrow = (from: Element): string => (position(from, control) < 0 ? 'ArrowDown' : 'ArrowUp')
  const group = (one: Element): unknown =>
    one instanceof HTMLInputElement && one.type === 'radio'
      ? one.name
      : (one.closest('[role=menu]') ??
        (one.matches('[data-item]') ? one.closest('[role=list]') : null))
  const usedBy = (): string | null => {
    if (!(control instanceof HTMLInputElement))
      return control.matches('textarea, select, [contenteditable]') ? null : 'Enter'
    if (control.type === 'radio') return control.checked ? null : 'Space'
    return control.type === 'checkbox' ? 'Space' : null
  }
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const stops = [...dialog.querySelectorAll<HTMLElement>(focusable)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled, [inert] *') &&
      one.checkVisibility({ visibilityProperty: true }) &&
      (!(one instanceof HTMLInputElement) || one.type !== 'radio' || one.checked),
  )
  const move = (key: string | null): Move => ({ key, use: usedBy(), stops: stops.length })

  if (active === control) return move(null)
  if (control.matches('[role=option]')) {
    const list = document.getElementById(active.getAttribute('aria-controls') ?? '')
    const current = document.getElementById(active.getAttribute('aria-activedescendant') ?? '')
    if (current === control) return move(null)
    if (list?.contains(control)) return move(current ? arrow(current) : 'ArrowDown')
  }
  if (group(control) && group(control) === group(active)) return move(arrow(active))
  if (direction !== null) return move(direction)
  const goal = stops.findIndex(
    (one) => one === control || (group(one) && group(one) === group(control)),
  )
  const ahead = goal - stops.indexOf(active as HTMLElement)
  const forward = (ahead + stops.length) % stops.length
  return move(goal < 0 || forward * 2 <= stops.length ? 'Tab' : 'Shift+Tab')
}

/** Says in the page what is wrong with the focus for a person who sees it; null if nothing is. */
function focusProblem(): string | null {
  const active = document.activeElement
  // Between the last control and the first one, the focus is outside the page.
  if (!active || active === document.body) return null
  const shown =
    (active.matches('.visually-hidden') ? active.closest('label') : null) ??
    // Its box is drawn by the element around it.
    (getComputedStyle(active).pointerEvents === 'none' ? active.parentElement : null) ??
    active
  const name = `${shown.outerHTML.slice(0, 160)}…`
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const xs = [left, (left + right) / 2, right].map((x) =>
    Math.min(Math.max(x, left + 1), right - 1),
  )
  const ys = [top, (top + bottom) / 2, bottom].map((y) =>
    Math.min(Math.max(y, top + 1), bottom - 1),
  )
  const seen = xs.some((x) => ys.some((y) => shown.contains(document.elementFromPoint(x, y))))
  if (!seen) return `The focus is covered or outside the window: ${name}`
  // A field shows its caret.
  if (active.matches('textarea, [contenteditable], input[type=text], input[type=search]'))
    return null
  let outlined: Element | null = shown
  for (let depth = 0; outlined && depth < 3; depth++, outlined = outlined.parentElement) {
    const { outlineStyle, outlineWidth } = getComputedStyle(outlined)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return null
  }
  return `The focus isn’t visible: ${name}`
}

/** Uses the keyboard alone. Collects what is wrong with the focus on its way. */
export class Keyboard {
  readonly #page: Page
  readonly problems = new Set<string>()

  constructor(page: Page) {
    this.#page = page
  }

  /**
   * Moves the focus to a control, and returns the number of keys pressed for it and the key that uses it. A control that no key
   * reaches is an error.
   */
  async reach(control: Locator): Promise<{ readonly keys: number; readonly use: string | null }> {
    let direction: string | null = null
    for (let keys = 0; ; keys++) {
      const { key, use, stops }: Move = await control.evaluate(nextMove, direction)
      if (key === null) return { keys, use }
      if (keys > stops + 20)
        throw new Error(`${String(control)} can’t be reached with the keyboard`)
      if (key.includes('Tab')) direction = key
      await this.#page.keyboard.press(key)
      const problem = await this.#page.evaluate(focusProblem)
      if (problem !== null) this.problems.add(problem)
    }
  }

  /** Checks that an action has left the focus on a control, or moved it to one. */
  async checkFocus(action: string): Promise<void> {
    const hasFocus = (): boolean => document.activeElement !== document.body
    await this.#page
      .waitForFunction(hasFocus, null, { timeout: 1_000 })
      .catch(() => this.problems.add(`“${action}” lost the focus`))
  }
}
