import { endMs } from '../workers/messages.ts'

/**
 * Whether the app ends with its last window: everywhere but on macOS, where people expect it to stay, and but for an app that was
 * started into the tray and whose main window was never opened (`wasOpened`): only a helping window can have closed there.
 */
export const stopsWithLastWindow = (platform: string, wasOpened: boolean): boolean =>
  platform !== 'darwin' && wasOpened

/**
 * Milliseconds that the end of the app may take, step by step. `recording`: the page sends the sound it still holds.
 * `streams`: running answers write what came. `app`: the whole of `App.stop`, which ends streams, then workers, then the
 * database, so it exceeds the sum of what those get.
 */
export const stopLimits = { recording: 5000, streams: 1000, app: 1000 + endMs + 1000 } as const

/** Waits for some work, but not longer than this; says whether it was done. A failure counts as done: there is nothing more to wait for. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const done = work.then(
    () => true,
    () => true,
  )
  const result = await Promise.race([done, late])
  clearTimeout(timer)
  return result
}
