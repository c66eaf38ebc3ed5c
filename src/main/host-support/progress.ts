import type { Progress } from '../../shared/bridge/system.ts'

/** What Electron takes for no progress, and for some whose end nobody knows (`BrowserWindow.setProgressBar`). */
const none = -1
const unknown = 2

/** The number that shows what several pages told: the mean of what is known. */
export function progressOfAll(reported: readonly Exclude<Progress, null>[]): number {
  if (reported.length === 0) return none
  const known = reported.filter((each) => each !== 'unknown')
  return known.length === 0 ? unknown : known.reduce((sum, each) => sum + each, 0) / known.length
}
