import { saveFile } from './save-file.ts'

/** Saves a text that the page itself holds, as the browser saves any file. */
export function saveText(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  saveFile(url, name)
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
