import type { Run, RunSummary } from '../../../../../shared/model/run.ts'
import { AppError } from '../../../../errors.ts'
import type { Ids } from '../../../../deps.ts'
import type { Runs } from '../../../playground/index.ts'

/** Runs that main starts automatically, with their completion handlers. */
export interface RunEnds {
  /** Starts a run; it is shown in the list of runs like any other. */
  begin(
    operation: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly accountId: string; readonly title?: string },
  ): Promise<RunSummary>
  /** Resolves when the run succeeded; otherwise throws the error that ended it. */
  wait(id: string): Promise<Run>
  /** Must be called for every run that changed. */
  changed(run: RunSummary): void
}

/** Creates the tracker; no page follows such a run from the start. */
export function createRunEnds(runs: Pick<Runs, 'start' | 'get'>, ids: Ids): RunEnds {
  const waiting = new Map<string, (() => void)[]>()
  return {
    begin: (operation, input, { accountId, title }) =>
      runs.start({ operation, input, accountId, title }, { connectionId: 'main', streamId: ids() }),
    async wait(id) {
      if (runs.get(id).state === 'running')
        await new Promise<void>((resolve) => {
          waiting.set(id, [...(waiting.get(id) ?? []), resolve])
        })
      const run = runs.get(id)
      if (run.state === 'done') return run
      const {
        code = 'CANCELLED',
        message = 'The run was stopped',
        retriable = false,
        params,
      } = run.error ?? {}
      throw new AppError(code, message, { retriable, ...(params && { params }) })
    },
    changed({ id, state }) {
      if (state === 'running') return
      for (const resolve of waiting.get(id) ?? []) resolve()
      waiting.delete(id)
    },
  }
}
