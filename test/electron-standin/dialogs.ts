import { command, reportEvent } from './control.ts'
import { strict } from './strict.ts'

/** Simulated user's action in a dialog: the index of a button, chosen paths, or null to cancel. */
export type DialogAnswer = number | readonly string[] | null

const answers: DialogAnswer[] = []
const waiting: ((given: DialogAnswer) => void)[] = []

command('dialog.answer', (given: DialogAnswer) => {
  const next = waiting.shift()
  if (next) next(given)
  else answers.push(given)
})

/** Returns the next answer of the driver; waits for it as for a user. */
function answer(): Promise<DialogAnswer> {
  const ready = answers.shift()
  if (ready !== undefined) return Promise.resolve(ready)
  return new Promise((resolve) => waiting.push(resolve))
}

/** Parses both forms of every dialog: with a window as the first argument, and without. */
function optionsOf<T extends object>(args: readonly unknown[]): { options: T; parent: boolean } {
  const [first, second] = args
  return second === undefined
    ? { options: (first ?? {}) as T, parent: false }
    : { options: second as T, parent: first !== undefined && first !== null }
}

const buttonOf = (given: DialogAnswer, options: Electron.MessageBoxOptions): number =>
  typeof given === 'number' ? given : (options.cancelId ?? 0)

/**
 * `dialog` (`lib/browser/api/dialog.ts`): each dialog is reported to the driver and waits for its answer; a sync one
 * cannot wait.
 */
export const dialog = strict({
  async showMessageBox(...args: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    const { options, parent } = optionsOf<Electron.MessageBoxOptions>(args)
    reportEvent('dialog', { kind: 'message', parent, ...plain(options) })
    const response = buttonOf(await answer(), options)
    return { response, checkboxChecked: options.checkboxChecked ?? false }
  },
  showMessageBoxSync(...args: unknown[]): number {
    const { options, parent } = optionsOf<Electron.MessageBoxOptions>(args)
    reportEvent('dialog', { kind: 'message-sync', parent, ...plain(options) })
    return buttonOf(answers.shift() ?? null, options)
  },
  async showSaveDialog(...args: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    const { options, parent } = optionsOf<Electron.SaveDialogOptions>(args)
    reportEvent('dialog', { kind: 'save', parent, ...plain(options) })
    const given = await answer()
    const [filePath = ''] = Array.isArray(given) ? (given as string[]) : []
    return { canceled: filePath === '', filePath }
  },
  async showOpenDialog(...args: unknown[]): Promise<Electron.OpenDialogReturnValue> {
    const { options, parent } = optionsOf<Electron.OpenDialogOptions>(args)
    reportEvent('dialog', { kind: 'open', parent, ...plain(options) })
    const given = await answer()
    const filePaths = Array.isArray(given) ? [...(given as string[])] : []
    return { canceled: filePaths.length === 0, filePaths }
  },
  showErrorBox(title: string, content: string): void {
    reportEvent('dialog', { kind: 'error', title, content })
  },
})

const plain = (options: object): object =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([, value]) => typeof value !== 'function' && !(value instanceof AbortSignal),
    ),
  )

/** `shell`. */
export const shell = strict({
  async openExternal(url: string): Promise<void> {
    reportEvent('open-external', { url })
  },
  async openPath(path: string): Promise<string> {
    reportEvent('open-path', { path })
    return ''
  },
  showItemInFolder(path: string): void {
    reportEvent('show-in-folder', { path })
  },
  async trashItem(path: string): Promise<void> {
    reportEvent('trash', { path })
  },
  beep(): void {},
})

/** `clipboard` of the main process. */
export const clipboard = strict({
  text: '',
  readText: () => clipboard.text,
  writeText(text: string): void {
    clipboard.text = text
    reportEvent('clipboard', { text })
  },
  clear: () => void (clipboard.text = ''),
  writeImage: (_image: unknown) => reportEvent('clipboard-image'),
})
command('clipboard', () => clipboard.text)
