import { onScopeDispose, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Task } from '../../../../../shared/model/task.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** The current time, updated every second, in Unix milliseconds. */
export function useSeconds() {
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return now
}

/** Whole seconds until a moment, never below 0. */
export const secondsUntil = (at: number, now: number): number =>
  Math.max(0, Math.ceil((at - now) / 1000))

/** Labels for the status of tasks. */
export function useTaskLabels() {
  const { te } = useI18n({ useScope: 'global' })
  const { t, number } = useTranslation()
  const now = useSeconds()
  const kind = (task: Pick<Task, 'kind'>): string => t(`playground.kinds.${task.kind ?? 'unknown'}`)
  const state = (task: Pick<Task, 'state'>): string => t(`playground.taskStates.${task.state}`)
  /** Class of its color. */
  const tone = ({ state: taskState }: Pick<Task, 'state'>): string => {
    if (taskState === 'failed' || taskState === 'refused') return 'text-danger'
    return taskState === 'succeeded' ? 'text-ok' : ''
  }
  /** Time of the next check; empty if none is planned. */
  const next = ({ nextPollAt, state: taskState }: Pick<Task, 'nextPollAt' | 'state'>): string => {
    if (nextPollAt === null || taskState === 'succeeded' || taskState === 'failed') return ''
    const n = secondsUntil(nextPollAt, now.value)
    return n === 0 ? t('playground.checkingNow') : t('playground.nextIn', { n: number(n) })
  }
  /** The finish reason in words; an unknown one is returned unchanged. */
  const end = (reason: string): string => {
    const key = `tasks.ends.${reason}`
    return te(key) ? t(key) : t('playground.finish', { reason })
  }
  const endTone = (reason: string): string =>
    reason === 'stop' || reason === 'tool_calls' ? 'muted' : 'text-danger'
  return { kind, state, tone, next, end, endTone }
}
