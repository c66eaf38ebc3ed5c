import type { RunsDeps } from '../service/runs/runs.ts'
import type { Pages } from '../../../platform/bridge/events.ts'

/** Sends run events to every page, and to `also`, which may have started the runs. */
export const runEvents = (
  pages: Pages,
  also: RunsDeps['onRun'],
): Pick<RunsDeps, 'onRun' | 'onRemoved'> => ({
  onRun(run) {
    pages.emit({ type: 'run.changed', run })
    also(run)
  },
  onRemoved: (ids) => pages.emit({ type: 'runs.removed', ids }),
})
