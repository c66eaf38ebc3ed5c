/** Resolves when the page is idle, after at most half a second. */
export const idleMoment = (): Promise<void> =>
  new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }))
