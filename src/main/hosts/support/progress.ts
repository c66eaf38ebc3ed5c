import type { Progress } from '../../../shared/contract/system.ts'

/** Electron's values for no progress and for indeterminate progress (`BrowserWindow.setProgressBar`). */
const none = -1
const unknown = 2

/** Returns the progress value for the reports of several pages: the mean of the known ones. */
export function progressOfAll(reported: readonly Exclude<Progress, null>[]): number {
  if (reported.length === 0) return none
  const known = reported.filter((each) => each !== 'unknown')
  return known.length === 0 ? unknown : known.reduce((sum, each) => sum + each, 0) / known.length
}
