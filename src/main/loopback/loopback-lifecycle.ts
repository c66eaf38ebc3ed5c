import type { Log } from '../deps.ts'
import type { App } from '../host.ts'
import { stopLimits, within } from '../host-support/stopping.ts'

/** The process, as far as its life is concerned. */
export interface Living {
  on(event: string, listener: (reason: unknown) => void): unknown
  exit(code: number): void
}

/** Writes down what nobody caught. A broken promise is survived; a broken call stack is not. */
export function setupLastResort(living: Living, log: Log): void {
  living.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  living.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    living.exit(1)
  })
}

/**
 * Ends in order on SIGINT, SIGTERM or SIGHUP: tabs, streams, database, then `last`. What fails or hangs on the way is
 * written down and holds up nothing: each step has `patience` milliseconds.
 */
export function setupStop(
  living: Living,
  parts: {
    readonly server: { close(): Promise<void> }
    readonly app: Pick<App, 'stop'>
    readonly log: Log
    /** Done first of all: the system may leave no time for more. */
    first?(): void
    last(): void
    readonly patience?: number
  },
): void {
  const { server, app, log, last, patience = stopLimits.app } = parts
  const step = async (name: string, work: Promise<void>): Promise<void> => {
    const settled = work.catch((error: unknown) => log.error('stop', { step: name, error }))
    if (!(await within(patience, settled))) log.error('stop', { step: name, late: true })
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
