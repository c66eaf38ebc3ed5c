import type { HandlerParts } from './bridge/handlers/all.ts'
import type { Pages } from './bridge/events.ts'
import { createTaskWatch, viewOf, type TaskDeps, type Tasks } from './services/tasks/tasks.ts'
import { createVoices, type VoicesDeps } from './services/voices/voices.ts'

/** What the parts of the workbench are built from. */
export interface WorkbenchDeps
  extends Omit<TaskDeps, 'onTask'>, Omit<VoicesDeps, keyof TaskDeps | 'onChange'> {
  readonly api: TaskDeps['api'] & VoicesDeps['api']
  readonly accounts: TaskDeps['accounts'] & VoicesDeps['accounts']
  readonly store: TaskDeps['store'] & VoicesDeps['store']
  readonly pages: Pick<Pages, 'emit'>
}

/** The parts that work with things of the service's own: tasks, voices. */
export interface Workbench {
  readonly tasks: Tasks
  /** What their routes are built from. */
  readonly handlers: Pick<HandlerParts, 'tasks' | 'voices'>
}

/** Builds them: a further list of the composition root, which stays readable so. */
export function createWorkbench({ pages, ...deps }: WorkbenchDeps): Workbench {
  const tasks = createTaskWatch({
    ...deps,
    onTask: (task) => pages.emit({ type: 'task.changed', task: viewOf(task) }),
  })
  const voices = createVoices({
    ...deps,
    onChange: (accountId) => pages.emit({ type: 'voices.changed', accountId }),
  })
  return {
    tasks,
    handlers: {
      tasks: [tasks, (id) => pages.emit({ type: 'task.forgotten', id })],
      voices: [voices],
    },
  }
}
