import { useI18n } from 'vue-i18n'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { OperationInfo } from '../../../../shared/model/operation.ts'
import type { FailureText } from '../../i18n/failure.ts'
import { useWords } from '../../i18n/use-words.ts'

/** Words for operations and their failures. */
export function useRunWords() {
  const { te } = useI18n({ useScope: 'global' })
  const { t, failure: usual } = useWords()

  /** What an operation does, in one sentence of the reader's language. */
  const sentence = (operation: Pick<OperationInfo, 'name' | 'summary'>): string => {
    const key = `bench.ops.${operation.name}`
    return te(key) ? t(key) : operation.summary
  }
  const family = (name: string): string => {
    const key = `bench.families.${name}`
    return te(key) ? t(key) : name
  }
  /** Where the spec tells of an operation: `section 4.1 · notes 13`. */
  const section = (spec: string): string =>
    spec
      .split(', ')
      .map((part) =>
        part.startsWith('notes ')
          ? t('bench.notes', { n: part.slice(6) })
          : t('bench.section', { n: part }),
      )
      .join(' · ')
  /** What is left: an input that does not fit made no run at all. */
  const kept = (error: Failure, about: 'run' | 'task', usually: string): string => {
    if (about === 'task') return t('bench.taskKept')
    return error.code === 'BAD_REQUEST' ? usually : t('bench.failureKept')
  }
  /** A failure in words that fit a run or a task; what the service said stands in `data`, word for word. */
  const failure = (error: Failure, about: 'run' | 'task' = 'run'): FailureText => {
    const words = usual(error)
    const told = error.service?.message
    const own = (part: 'what' | 'todo', usually: string): string => {
      const key = `bench.failures.${error.code}.${part}`
      return about === 'run' && te(key) ? t(key) : usually
    }
    return {
      what: own('what', words.what),
      data: told ? t('bench.told', { text: told }) : kept(error, about, words.data),
      todo: own('todo', words.todo),
    }
  }
  return { sentence, family, section, failure }
}
