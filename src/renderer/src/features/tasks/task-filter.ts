import { computed, ref } from 'vue'
import type { Task, TaskState } from '../../../../shared/model/task.ts'

/** How tasks stand, as a list is narrowed. */
export const taskStandings = ['running', 'done', 'failed', 'needsYou'] as const
/** One of them. */
export type TaskStanding = (typeof taskStandings)[number]

const standingOf: Readonly<Record<TaskState, TaskStanding>> = {
  processing: 'running',
  waiting: 'running',
  succeeded: 'done',
  failed: 'failed',
  refused: 'needsYou',
}

/** Whether a task has every word of a query, in its id, model, kind or account, and stands so. */
export function fitsTask(
  { taskId, model, kind, accountName, state }: Task,
  query: string,
  standing: '' | TaskStanding,
): boolean {
  if (standing !== '' && standingOf[state] !== standing) return false
  const text = `${taskId} ${model ?? ''} ${kind ?? ''} ${accountName}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A list of tasks narrowed by words and standing. */
export function useTaskFilter(tasks: () => readonly Task[]) {
  const query = ref('')
  const standing = ref<'' | TaskStanding>('')
  return {
    query,
    standing,
    narrowed: computed(() => query.value.trim() !== '' || standing.value !== ''),
    shown: computed(() =>
      tasks().filter((task) => fitsTask(task, query.value.trim(), standing.value)),
    ),
  }
}
