import { useI18n } from 'vue-i18n'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { OperationInfo } from '../../../../../shared/model/operation.ts'
import { embeddingModels } from '../../../../../shared/provider/knowledge-terms.ts'
import type { FailureText } from '../../../i18n/failure.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { hintOf } from './hints.ts'

/** Labels of operations and their failures. */
export function useRunLabels() {
  const { te } = useI18n({ useScope: 'global' })
  const { t, failure: defaultFailure, bytes } = useTranslation()

  /** Describes an operation in one localized sentence. */
  const sentence = (operation: Pick<OperationInfo, 'name' | 'summary'>): string => {
    const key = `playground.ops.${operation.name}`
    return te(key) ? t(key) : operation.summary
  }
  const family = (name: string): string => {
    const key = `playground.families.${name}`
    return te(key) ? t(key) : name
  }
  /** Returns additional properties of an operation: it creates something, streams, writes a file. */
  const traits = ({ creates, streams, writes }: OperationInfo): string =>
    [
      ...(creates ? [t('playground.creates')] : []),
      ...(streams ? [t('playground.streams')] : []),
      ...(writes === null ? [] : [t('playground.writes', { name: writes })]),
    ].join(' · ')
  /** Returns the hint of a field: empty where its name suffices, and the original description where it is unknown. */
  const hint = (about: string): string => {
    const known = hintOf(about)
    if (!known) return about
    const values = Object.entries(known.values ?? {}).map(([name, value]) => [
      name,
      /bytes$/i.test(name) ? bytes(Number(value)) : value,
    ])
    const key = `playground.hints.${known.known}`
    return te(key) ? t(key, Object.fromEntries(values)) : ''
  }
  /** Returns the label of an option, with its meaning where it is a code. */
  const choice = (field: string, value: string | number): string => {
    if (field === 'embeddingId')
      return Object.entries(embeddingModels).find(([id]) => id === String(value))?.[1] ?? `${value}`
    const key = `playground.choices.${field}.${typeof value === 'number' ? `n${value}` : value}`
    return te(key) ? `${value} · ${t(key)}` : String(value)
  }
  /** Describes what was saved: invalid input created no run at all. */
  const retainedText = (error: Failure, about: 'run' | 'task', fallback: string): string => {
    if (about === 'task') return t('playground.taskTracked')
    return error.code === 'BAD_REQUEST' ? fallback : t('playground.failureSaved')
  }
  /** Returns the text of a failure, worded for a run or a task; `data` contains the provider's message verbatim. */
  const failure = (error: Failure, about: 'run' | 'task' = 'run'): FailureText => {
    const words = defaultFailure(error)
    const serviceMessage = error.service?.message
    const own = (part: 'what' | 'todo', fallback: string): string => {
      const key = `playground.failures.${error.code}.${part}`
      return about === 'run' && te(key) ? t(key) : fallback
    }
    return {
      what: own('what', words.what),
      data: serviceMessage
        ? t('playground.providerMessage', { text: serviceMessage })
        : retainedText(error, about, words.data),
      todo: own('todo', words.todo),
    }
  }
  return { sentence, family, traits, hint, choice, failure }
}
