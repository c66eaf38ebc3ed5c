import { endMs } from '../../platform/workers/messages.ts'

/**
 * Whether the app quits with its last window: everywhere but on macOS, where apps stay open, and unless the app was started
 * into the tray and its main window was never opened (`wasOpened`), so that only an auxiliary window can have closed.
 */
export const stopsWithLastWindow = (platform: string, wasOpened: boolean): boolean =>
  platform !== 'darwin' && wasOpened

/**
 * Time limits for quitting, in milliseconds per step. `recording`: the page sends its buffered audio. `streams`: running
 * answers save what they received. `app`: the whole of `App.stop`, which ends streams, then workers, then the database, so it
 * exceeds the sum of their limits.
 */
export const stopLimits = { recording: 5000, streams: 1000, app: 1000 + endMs + 1000 } as const

/**
 * Waits for work up to a time limit; returns whether it finished. A failure counts as finished: there is nothing left to wait
 * for.
 */
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
