/** What is told about recordings as a whole. */
export interface EndingDeps {
  /** True while something is recorded. */
  onLive(live: boolean): void
  /** The pages are to end what they record. */
  onStopRecording(): void
}

/** Ends what is recorded, whoever records it. */
export interface Ending {
  /** Something is recorded now, or not any more. */
  live(live: boolean): void
  /** Asks the pages to end what they record; resolves once nothing is recorded any more. */
  stop(): Promise<void>
}

/** The page holds the last second of sound, so only the page can end its recording whole. */
export function createEnding(deps: EndingDeps): Ending {
  let isLive = false
  let over: PromiseWithResolvers<void> | null = null
  return {
    live(live) {
      isLive = live
      deps.onLive(live)
      if (live) return
      over?.resolve()
      over = null
    },
    async stop() {
      if (!isLive) return
      over ??= Promise.withResolvers()
      const { promise } = over
      deps.onStopRecording()
      await promise
    },
  }
}
