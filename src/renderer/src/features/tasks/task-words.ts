import { onScopeDispose, ref } from 'vue'
import type { Task } from '../../../../shared/model/task.ts'
import { useWords } from '../../i18n/use-words.ts'

/** The present time, every second, in Unix milliseconds. */
export function useSeconds() {
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return now
}

/** Whole seconds until a moment, never below 0. */
export const secondsUntil = (at: number, now: number): number =>
  Math.max(0, Math.ceil((at - now) / 1000))

/** Words for the standing of tasks. */
export function useTaskWords() {
  const { t, number } = useWords()
  const now = useSeconds()
  const kind = (task: Pick<Task, 'kind'>): string => t(`bench.kinds.${task.kind ?? 'unknown'}`)
  const state = (task: Pick<Task, 'state'>): string => t(`bench.taskStates.${task.state}`)
  /** When it is asked for next; empty when nothing is planned. */
  const next = ({ nextPollAt, state: standing }: Pick<Task, 'nextPollAt' | 'state'>): string => {
    if (nextPollAt === null || standing === 'succeeded' || standing === 'failed') return ''
    const n = secondsUntil(nextPollAt, now.value)
    return n === 0 ? t('bench.askingNow') : t('bench.nextIn', { n: number(n) })
  }
  return { kind, state, next }
}
