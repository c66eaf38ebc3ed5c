import { useI18n } from 'vue-i18n'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { OperationInfo } from '../../../../shared/model/operation.ts'
import type { FailureText } from '../../i18n/failure.ts'
import { useWords } from '../../i18n/use-words.ts'

/** Failures whose usual words speak of recordings, or of Lectern's own requests: here they are about a run. */
const ownWords: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'NOT_FOUND',
  'INTERNAL',
  'INVALID_INPUT',
  'SERVICE_NOT_FOUND',
  'CONTENT_BLOCKED',
  'CONTEXT_TOO_LONG',
  'FILE_TOO_LARGE',
  'AUDIO_TOO_LONG',
  'UNSUPPORTED_FORMAT',
  'DAMAGED_FILE',
  'EMPTY_FILE',
  'FILE_MISSING',
  'STREAM_CUT',
  'TIMEOUT',
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
  /** A failure in words that fit a run; what the service said stands in `data`, word for word. */
  const failure = (error: Failure): FailureText => {
    const words = usual(error)
    const told = error.service?.message
    const own = ownWords.has(error.code)
    return {
      what: own ? ownWhat(error) : words.what,
      data: told ? t('bench.told', { text: told }) : t('bench.failureKept'),
      todo: own ? t(`bench.failures.${error.code}.todo`) : words.todo,
    }
  }
  const ownWhat = (error: Failure): string => t(`bench.failures.${error.code}.what`)
  return { sentence, family, failure }
}
