import type { Log } from '../../deps.ts'
import type { App } from '../../host.ts'
import { stopLimits, within } from '../support/stopping.ts'

/** Lifecycle functions of the process. */
interface Living {
  on(event: string, listener: (reason: unknown) => void): unknown
  exit(code: number): void
}

/** Logs uncaught errors. The process survives an unhandled rejection, but not an uncaught exception. */
export function setupLastResort(living: Living, log: Log): void {
  living.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  living.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    living.exit(1)
  })
}

/**
 * Stops cleanly on SIGINT, SIGTERM or SIGHUP: tabs, streams, database, then `last`. A step that fails or hangs is logged and
 * blocks nothing: each step has `patience` milliseconds.
 */
export function setupStop(
  living: Living,
  parts: {
    readonly server: { close(): Promise<void> }
    readonly app: Pick<App, 'stop'>
    readonly log: Log
    /** Called first: the system may leave no time for more. */
    first?(): void
    last(): void
    readonly patience?: number
  },
): void {
  const { server, app, log, last, patience = stopLimits.app } = parts
  const step = async (name: string, work: Promise<void>): Promise<void> => {
    const settled = work.catch((error: unknown) =>
      log.error('shutdown step failed', { step: name, error }),
    )
    if (!(await within(patience, settled)))
      log.error('shutdown step timed out', { step: name, late: true })
  }
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    parts.first?.()
    await step('server', server.close())
    await step('app', app.stop())
    await step('last', Promise.resolve().then(last))
    living.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) living.on(signal, () => void stop())
}
