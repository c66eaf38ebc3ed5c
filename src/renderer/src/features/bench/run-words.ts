import { useI18n } from 'vue-i18n'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { OperationInfo } from '../../../../shared/model/operation.ts'
import type { FailureText } from '../../i18n/failure.ts'
import { useWords } from '../../i18n/use-words.ts'

/** Failures whose usual words speak of the library: here they are about a run. */
const ownWords: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'INTERNAL',
  'FILE_MISSING',
  'STREAM_CUT',
])

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
  /** A failure in words that fit a run; what the service said stands in `data`, word for word. */
  const failure = (error: Failure): FailureText => {
    const words = usual(error)
    const told = error.service?.message
    const own = ownWords.has(error.code)
    return {
      what: own ? t(`bench.failures.${error.code}.what`) : words.what,
      data: told ? t('bench.told', { text: told }) : t('bench.failureKept'),
      todo: own ? t(`bench.failures.${error.code}.todo`) : words.todo,
    }
  }
  return { sentence, family, section, failure }
}
