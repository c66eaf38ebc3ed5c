/** A drawing task. Two requests with the same key are the same task. */
export interface RenderTask {
  readonly key: string
  /** Draws; the signal aborts it. A rejection ends only this task. */
  run(signal: AbortSignal): Promise<void>
}

/** Runs one drawing task at a time. */
interface RenderQueue {
  /** Replaces the requested tasks, by priority. A running task that is not among them is canceled. */
  want(tasks: readonly RenderTask[]): void
  /** Cancels everything permanently. */
  close(): void
}

/** Callbacks of a queue. */
interface RenderQueueOptions {
  readonly onIdle?: () => void
}

/**
 * Creates a single queue for all drawing: two parallel drawings would only delay both. There is no list to maintain:
 * each time the view changes, it passes its current requests, without those that are done.
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
