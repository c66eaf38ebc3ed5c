/** Callbacks for the recording state of the whole app. */
interface EndingDeps {
  /** True while a recording is running. */
  onLive(live: boolean): void
  /** Requests the pages to stop recording. */
  onStopRecording(): void
}

/** Stops all recordings, whichever page makes them. */
interface Ending {
  /** Reports whether a recording is running. */
  live(live: boolean): void
  /** Requests the pages to stop recording; resolves once no recording is running. */
  stop(): Promise<void>
}

/** The page has the last second of audio, so only the page can complete its recording. */
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
