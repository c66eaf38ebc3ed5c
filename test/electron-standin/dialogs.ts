import { command, tell } from './control.ts'
import { strict } from './strict.ts'

/** What the user does in a dialog: a button's number, chosen paths, or null to cancel. */
export type DialogAnswer = number | readonly string[] | null

const answers: DialogAnswer[] = []
const waiting: ((given: DialogAnswer) => void)[] = []

command('dialog.answer', (given: DialogAnswer) => {
  const next = waiting.shift()
  if (next) next(given)
  else answers.push(given)
})

/** The next answer of the driver's; waits for it as a user would be waited for. */
function answer(): Promise<DialogAnswer> {
  const ready = answers.shift()
  if (ready !== undefined) return Promise.resolve(ready)
  return new Promise((resolve) => waiting.push(resolve))
}

/** Both forms of every dialog: with a window first, and without. */
function optionsOf<T extends object>(args: readonly unknown[]): { options: T; parent: boolean } {
  const [first, second] = args
  return second === undefined
    ? { options: (first ?? {}) as T, parent: false }
    : { options: second as T, parent: first !== undefined && first !== null }
}

const buttonOf = (given: DialogAnswer, options: Electron.MessageBoxOptions): number =>
  typeof given === 'number' ? given : (options.cancelId ?? 0)

/** `dialog` (`lib/browser/api/dialog.ts`): each is told to the driver and waits for its answer; a sync one cannot wait. */
export const dialog = strict({
  async showMessageBox(...args: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    const { options, parent } = optionsOf<Electron.MessageBoxOptions>(args)
    tell('dialog', { kind: 'message', parent, ...plain(options) })
    const response = buttonOf(await answer(), options)
    return { response, checkboxChecked: options.checkboxChecked ?? false }
  },
  showMessageBoxSync(...args: unknown[]): number {
    const { options, parent } = optionsOf<Electron.MessageBoxOptions>(args)
    tell('dialog', { kind: 'message-sync', parent, ...plain(options) })
    return buttonOf(answers.shift() ?? null, options)
  },
  async showSaveDialog(...args: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    const { options, parent } = optionsOf<Electron.SaveDialogOptions>(args)
    tell('dialog', { kind: 'save', parent, ...plain(options) })
    const given = await answer()
    const [filePath = ''] = Array.isArray(given) ? (given as string[]) : []
    return { canceled: filePath === '', filePath }
  },
  async showOpenDialog(...args: unknown[]): Promise<Electron.OpenDialogReturnValue> {
    const { options, parent } = optionsOf<Electron.OpenDialogOptions>(args)
    tell('dialog', { kind: 'open', parent, ...plain(options) })
    const given = await answer()
    const filePaths = Array.isArray(given) ? [...(given as string[])] : []
    return { canceled: filePaths.length === 0, filePaths }
  },
  showErrorBox(title: string, content: string): void {
    tell('dialog', { kind: 'error', title, content })
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
    tell('open-external', { url })
  },
  async openPath(path: string): Promise<string> {
    tell('open-path', { path })
    return ''
  },
  showItemInFolder(path: string): void {
    tell('show-in-folder', { path })
  },
  async trashItem(path: string): Promise<void> {
    tell('trash', { path })
  },
  beep(): void {},
})

/** `clipboard` of the main process. */
export const clipboard = strict({
  text: '',
  readText: () => clipboard.text,
  writeText(text: string): void {
    clipboard.text = text
    tell('clipboard', { text })
  },
  clear: () => void (clipboard.text = ''),
  writeImage: (_image: unknown) => tell('clipboard-image'),
})
command('clipboard', () => clipboard.text)
