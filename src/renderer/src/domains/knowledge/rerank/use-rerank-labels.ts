import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { FailureText } from '../../../i18n/failure.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Messages for failures of rankings: which candidate is affected, and why rounds were not merged. */
export function useRerankLabels() {
  const { t, number, failure: defaultFailure, gap } = useTranslation()
  const failure = (error: Failure): FailureText => {
    const words = defaultFailure(error)
    const { params } = error
    if (error.code === 'REFUSED' && params?.['why'] === 'rounds')
      return {
        what: t('rerank.roundsDiffer', {
          item: number(Number(params['item'])),
          first: short(params['first']),
          later: short(params['later']),
          round: number(Number(params['round'])),
        }),
        data: t('rerank.roundsSaved'),
        todo: t('rerank.roundsTodo'),
      }
    if (error.code === 'LEFT_UNFINISHED' || error.code === 'BAD_REQUEST')
      return { ...words, todo: t(`rerank.todo.${error.code}`) }
    const item = params?.['item']
    if (item === undefined) return words
    return {
      ...words,
      what: `${t('rerank.candidateN', { n: number(Number(item) + 1) })}${gap.value}${words.what}`,
    }
  }
  const short = (value: unknown): string =>
    Number(value).toLocaleString(undefined, { maximumFractionDigits: 4 })
  return { failure }
}
