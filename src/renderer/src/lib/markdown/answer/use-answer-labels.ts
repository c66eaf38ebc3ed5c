import { computed, type ComputedRef } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import type { AnswerLabels } from '../stream/stream-labels.ts'

/** Returns the labels around an answer, in the user's language. */
export function useAnswerLabels(): ComputedRef<AnswerLabels> {
  const { t, language } = useTranslation()
  return computed(() => {
    void language.value
    return {
      source: (n) => t('chatAnswer.source', { n }),
      imageAway: t('chatAnswer.imageAway'),
      table: t('chatAnswer.table'),
      code: t('chatAnswer.code'),
      copy: t('chatAnswer.copy'),
      copied: t('chatAnswer.copied'),
      fold: t('chatAnswer.fold'),
      diagram: {
        name: t('chatAnswer.diagram.name'),
        source: t('chatAnswer.diagram.source'),
        long: t('chatAnswer.diagram.long'),
        reach: t('chatAnswer.diagram.reach'),
        wrong: t('chatAnswer.diagram.wrong'),
      },
      formula: {
        long: t('chatAnswer.formula.long'),
        deep: t('chatAnswer.formula.deep'),
        wrong: t('chatAnswer.formula.wrong'),
      },
    }
  })
}
