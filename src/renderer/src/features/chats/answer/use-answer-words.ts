import { computed, type ComputedRef } from 'vue'
import { useWords } from '../../../i18n/use-words.ts'
import type { AnswerWords } from '../../../markdown/stream/words.ts'

/** The words around an answer, in the reader's language. */
export function useAnswerWords(): ComputedRef<AnswerWords> {
  const { t, language } = useWords()
  return computed(() => {
    void language.value
    return {
      source: (n) => t('chatAnswer.source', { n }),
      pictureAway: t('chatAnswer.pictureAway'),
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
