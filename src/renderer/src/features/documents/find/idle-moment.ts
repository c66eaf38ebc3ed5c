/** Waits for a moment in which the page has nothing more urgent to do, half a second at most. */
export const idleMoment = (): Promise<void> =>
  new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }))
