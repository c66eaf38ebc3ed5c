import type { Language } from '../../../shared/language.ts'

/** Tasks of a launch besides opening files; the jump list on Windows starts Lectern with one. */
type LaunchTask = 'record' | 'quick' | 'window'

const tasks = ['record', 'quick', 'window'] as const

const switches: Readonly<Record<LaunchTask, string>> = {
  record: '--start-recording',
  quick: '--quick-question',
  window: '--new-window',
}

const labels = {
  en: { record: 'Start Recording', quick: 'Quick Question', window: 'New Window' },
  'zh-CN': { record: '开始录音', quick: '快速提问', window: '新建窗口' },
} as const

/** Returns the task that a command line specifies. */
export function launchTask(args: readonly string[]): LaunchTask | null {
  return tasks.find((task) => args.includes(switches[task])) ?? null
}

/** Returns the tasks as the jump list shows them. */
export const launchTasks = (
  language: Language,
): readonly { readonly title: string; readonly arguments: string }[] =>
  tasks.map((task) => ({
    title: labels[language][task],
    arguments: switches[task],
  }))
