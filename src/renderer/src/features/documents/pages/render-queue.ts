/** One thing to draw. Two wishes with one key are the same wish. */
export interface RenderTask {
  readonly key: string
  /** Draws; the signal says that it is not wanted any more. A rejection ends this wish alone. */
  run(signal: AbortSignal): Promise<void>
}

/** Draws one thing at a time. */
export interface RenderQueue {
  /** Says all that is wanted from now on, most wanted first. What runs and is not among them is cancelled. */
  want(tasks: readonly RenderTask[]): void
  /** Cancels everything, for good. */
  close(): void
}

/** How a queue tells that nothing is left to do. */
export interface RenderQueueOptions {
  readonly onIdle?: () => void
}

/**
 * One queue for everything that is drawn: two drawings at once only make both late. There is no list to keep tidy: each
 * time the view changes it says anew what it wants, and what is done is not said again by it.
 */
export function createRenderQueue({ onIdle }: RenderQueueOptions = {}): RenderQueue {
  let wanted: readonly RenderTask[] = []
  let running: { readonly key: string; readonly stop: AbortController } | null = null
  let closed = false

  function next(): void {
    if (running || closed) return
    const [task, ...rest] = wanted
    if (!task) {
      onIdle?.()
      return
    }
    wanted = rest
    const run = { key: task.key, stop: new AbortController() }
    running = run
    void task
      .run(run.stop.signal)
      .catch(() => {})
      .finally(() => {
        if (running === run) running = null
        next()
      })
  }

  return {
    want(tasks) {
      if (closed) return
      const current = running
      const stillWanted = current && tasks.some(({ key }) => key === current.key)
      wanted = stillWanted ? tasks.filter(({ key }) => key !== current.key) : tasks
      if (current && !stillWanted) current.stop.abort()
      next()
    },
    close() {
      closed = true
      wanted = []
      running?.stop.abort()
    },
  }
}
