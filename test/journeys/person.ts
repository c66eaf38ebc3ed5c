import { basename } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { until } from '../fixtures/until.ts'
import type { Effort, Step } from './effort.ts'
import { Keyboard } from './keyboard.ts'

/** Milliseconds between two looks at the page. */
const pollMs = 20

/** Returns how many dialogs are visible that were not counted yet. */
const countNewDialogs = (): number => {
  const page = globalThis as { countedDialogs?: WeakSet<Element> }
  const counted = (page.countedDialogs ??= new WeakSet())
  const open = [...document.querySelectorAll('dialog[open], [role=dialog]')].filter((dialog) =>
    dialog.checkVisibility(),
  )
  const fresh = open.filter((dialog) => !counted.has(dialog))
  for (const dialog of fresh) counted.add(dialog)
  return fresh.length
}

/**
 * A person who uses the app with mouse and keyboard, or with the keyboard alone. Counts what they do and the time they wait: from a press until the next control
 * is ready or the result is shown. Pages and dialogs are counted as they appear. A control or result that is missing for three
 * minutes is an error.
 */
export class Person {
  readonly #page: Page
  readonly #keyboard: Keyboard | null
  readonly #counts = { clicks: 0, keys: 0, fields: 0, characters: 0, pages: 0, dialogs: 0 }
  readonly #decisions: string[] = []
  readonly #steps: Step[] = []
  #path: string
  #waitedMs = 0
  #actedAt: number | null = null
  /** The last press of a key that used a control, until its effect is shown. */
  #used: string | null = null

  constructor(page: Page, { keyboardOnly = false } = {}) {
    this.#page = page
    this.#keyboard = keyboardOnly ? new Keyboard(page) : null
    this.#path = this.#currentPath()
  }

  get effort(): Effort {
    return { ...this.#counts, decisions: [...this.#decisions] }
  }

  /** Seconds of waiting for the app. */
  get appSeconds(): number {
    return this.#waitedMs / 1000
  }

  get steps(): readonly Step[] {
    return this.#steps
  }

  /** What was wrong with the focus of the keyboard. */
  get problems(): readonly string[] {
    return [...(this.#keyboard?.problems ?? [])]
  }

  /** Clicks a control. With the keyboard alone: moves the focus to it, and presses the key that uses it. */
  async click(control: Locator): Promise<void> {
    const action = `click ${String(control)}`
    await this.#ready(control, action)
    if (this.#keyboard) {
      const { keys, use } = await this.#keyboard.reach(control)
      this.#counts.keys += keys
      this.#used = action
      if (use === null) this.#actedAt = performance.now()
      else await this.press(use)
      return
    }
    // The pointer is over the control before the press, whose effect is timed.
    await control.hover()
    this.#counts.clicks += 1
    this.#actedAt = performance.now()
    await this.#page.mouse.down()
    await this.#page.mouse.up()
  }

  /** Reads a question, and answers it with a click. */
  async choose(question: string, control: Locator): Promise<void> {
    this.#decisions.push(question)
    await this.click(control)
  }

  /** Types a text into a field, after a click into it unless it has the focus. */
  async type(field: Locator, text: string): Promise<void> {
    await this.#enter(field, text)
    this.#counts.characters += text.length
  }

  /** Pastes a text into a field, with one shortcut. */
  async paste(field: Locator, text: string): Promise<void> {
    await this.#enter(field, text)
    this.#counts.keys += 1
  }

  /** Presses a key or shortcut. */
  async press(keys: string): Promise<void> {
    this.#counts.keys += 1
    this.#steps.push({ action: `press ${keys}`, waitedSeconds: 0 })
    this.#actedAt = performance.now()
    await this.#page.keyboard.press(keys)
    this.#used ??= `press ${keys}`
  }

  /** Opens the system’s file dialog with a control, and chooses a file there: a click on it and one on Open. */
  async chooseFile(control: Locator, path: string): Promise<void> {
    const chooser = this.#page.waitForEvent('filechooser')
    await this.click(control)
    const dialog = await chooser
    this.#systemDialog(`file ${basename(path)}`, 2)
    await dialog.setFiles(path)
  }

  /**
   * Saves a file with a control that answers a question, and returns it. A click on Save in the system’s file dialog is counted,
   * which the desktop app shows and a browser doesn’t.
   */
  async save(
    control: Locator,
    question: string,
  ): Promise<{ readonly name: string; readonly path: string }> {
    const saved = this.#page.waitForEvent('download')
    await this.choose(question, control)
    const download = await saved
    const path = await download.path()
    this.#wait(`saved ${download.suggestedFilename()}`)
    this.#systemDialog('file name', 1)
    this.#actedAt = null
    return { name: download.suggestedFilename(), path }
  }

  /** Waits until a result is shown. */
  async see(result: Locator): Promise<void> {
    await this.#ready(result, `see ${String(result)}`)
  }

  /** Waits until a condition holds that the page shows without an element of its own. */
  async seeThat(what: string, holds: () => Promise<boolean>): Promise<void> {
    await this.#until(what, holds)
  }

  /** Lets time pass that neither the person nor the app needs, such as the meeting that is recorded. */
  async pass(ms: number): Promise<void> {
    await this.#page.waitForTimeout(ms)
    this.#actedAt = null
  }

  async #enter(field: Locator, text: string): Promise<void> {
    await this.#ready(field, `type into ${String(field)}`)
    if (!(await field.evaluate((element) => element === document.activeElement)))
      await this.click(field)
    this.#counts.fields += 1
    this.#decisions.push(`text of ${String(field)}`)
    this.#actedAt = performance.now()
    // Like an input method: what the field contained stays, unless it is selected.
    await this.#page.keyboard.insertText(text)
    if (!(await field.inputValue()).includes(text))
      throw new Error(`${String(field)} didn’t accept the text`)
  }

  #systemDialog(decision: string, clicks: number): void {
    this.#counts.dialogs += 1
    if (this.#keyboard) this.#counts.keys += clicks
    else this.#counts.clicks += clicks
    this.#decisions.push(decision)
    this.#actedAt = performance.now()
  }

  #ready(control: Locator, action: string): Promise<void> {
    return this.#until(action, async () => (await control.isVisible()) && control.isEnabled())
  }

  /** Adds the time from the last action until a condition holds to the time of the app. */
  async #until(action: string, holds: () => Promise<boolean>): Promise<void> {
    await until(`“${action}”`, async () => (await holds()) || null, pollMs)
    this.#wait(action)
    if (this.#used !== null) await this.#keyboard?.checkFocus(this.#used)
    this.#used = null
    const path = this.#currentPath()
    if (path !== this.#path) this.#counts.pages += 1
    this.#path = path
    this.#counts.dialogs += await this.#page.evaluate(countNewDialogs)
  }

  /** Adds the time since the last action to the time of the app. */
  #wait(action: string): void {
    const waitedMs = this.#actedAt === null ? 0 : performance.now() - this.#actedAt
    this.#actedAt = null
    this.#waitedMs += waitedMs
    this.#steps.push({ action, waitedSeconds: waitedMs / 1000 })
  }

  /** The page without its query: panes and selections of a page are no pages of their own. */
  #currentPath(): string {
    return new URL(this.#page.url()).hash.split('?')[0] ?? ''
  }
}
