import type { AnswerStep } from '../../../../../shared/chats/answer-step.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import type { StepView } from './step-views.ts'
import { lastLineOf } from '../../../kit/text-parts.ts'
import { firstWords } from '../../../kit/text-parts.ts'
import { isRunning } from './step-times.ts'

/** Texts in the line of a step. */
interface StepLine {
  readonly name: string
  /** Short description of its subject; '' for none. */
  readonly about: string
}

/** Labels of the steps of an answer. */
export function useStepLabels() {
  const { t, number } = useTranslation()

  const toolName = (step: AnswerStep): string => {
    if (step.kind === 'call') return firstWords(step.tool)
    if (step.kind === 'tool')
      return typeof step.call['name'] === 'string' ? firstWords(step.call['name']) : ''
    return step.kind === 'unknown' ? firstWords(step.name) : ''
  }
  /** Returns the line of a step; `found` is its number of sources. */
  const line = (step: AnswerStep, view: StepView, found: number): StepLine => {
    const runs = isRunning(step)
    const quoted = (text: string): string => (text === '' ? '' : `“${firstWords(text)}”`)
    const counted = (text: string, key: string, n: number): string =>
      [quoted(text), ...(runs ? [] : [t(key, { n: number(n) }, n)])].filter(Boolean).join(' · ')
    switch (view.kind) {
      case 'reasoning':
      case 'thought':
        return { name: t(`chatTimeline.${view.kind}`), about: lastLineOf(view.text) }
      case 'rewrite':
        return { name: t('chatTimeline.rewrite'), about: firstWords(view.after.join(' · ')) }
      case 'retrieval':
        return {
          name: t('chatTimeline.retrieval'),
          about: counted(view.query, 'chatTimeline.passages', found),
        }
      case 'web':
        return {
          name: t('chatTimeline.web'),
          about: counted(view.query, 'chatTimeline.pages', view.pages.length),
        }
      case 'code':
        return { name: t('chatTimeline.code'), about: firstWords(view.code) }
      case 'drawing':
        return { name: t('chatTimeline.drawing'), about: quoted(view.prompt) }
      case 'function':
        return { name: t('chatTimeline.function'), about: toolName(step) }
      case 'call':
        return { name: t('chatTimeline.call'), about: toolName(step) }
      case 'unknown':
        return { name: t('chatTimeline.unknown'), about: toolName(step) }
    }
  }
  return { line, toolName }
}
