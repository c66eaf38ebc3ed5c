import type { HandlerParts } from './bridge/handlers/all.ts'
import type { Pages } from './bridge/events.ts'
import {
  createKnowledgeBases,
  type Knowledge,
  type KnowledgeDeps,
} from './services/knowledge/all.ts'
import { createRerank } from './services/rerank/rerank.ts'
import type { Rerank, RerankDeps } from './services/rerank/types.ts'
import { createTaskWatch, viewOf, type TaskDeps, type Tasks } from './services/tasks/tasks.ts'
import { createVoices, type VoicesDeps } from './services/voices/voices.ts'

/** What the parts of the workbench are built from. */
export type WorkbenchDeps = Omit<TaskDeps, 'onTask'> &
  Omit<VoicesDeps, 'onChange'> &
  Omit<KnowledgeDeps, 'onChange'> &
  Omit<RerankDeps, 'onRanking'> & { readonly pages: Pick<Pages, 'emit'> }

/** The parts that work with things of the service's own: tasks, voices, knowledge bases, rankings. */
export interface Workbench {
  readonly tasks: Tasks
  readonly knowledge: Knowledge
  readonly rerank: Rerank
  /** What their routes are built from. */
  readonly handlers: Pick<HandlerParts, 'tasks' | 'voices' | 'knowledge' | 'rerank'>
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
  const knowledge = createKnowledgeBases({
    ...deps,
    onChange: (accountId, baseId) => pages.emit({ type: 'knowledge.changed', accountId, baseId }),
  })
  const rerank = createRerank({
    ...deps,
    onRanking: (ranking) => pages.emit({ type: 'rerank.changed', ranking }),
  })
  return {
    tasks,
    knowledge,
    rerank,
    handlers: {
      tasks: [tasks, (id) => pages.emit({ type: 'task.forgotten', id })],
      voices: [voices],
      knowledge: [knowledge],
      rerank: [rerank],
    },
  }
}
