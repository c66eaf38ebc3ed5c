import type { Page } from 'playwright-core'

/** File as dragged in by a user. */
export interface DroppedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Drags files over the window and drops them in its middle, with the events of a browser. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const plain = files.map(({ name, type, bytes }) => ({
    name,
    type,
    base64: Buffer.from(bytes).toString('base64'),
  }))
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer()
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([bytes], name, { type }))
    }
    return data
  }, plain)
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.evaluate(
      ([name, dataTransfer]) => {
        const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body
        const init = { bubbles: true, cancelable: true, dataTransfer }
        target.dispatchEvent(new DragEvent(name, init))
      },
      [type, transfer] as const,
    )
  }
  await transfer.dispose()
}

/** Opens the command palette and types, once it accepts input. */
export async function askPalette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search commands and content' }).fill(words)
}
