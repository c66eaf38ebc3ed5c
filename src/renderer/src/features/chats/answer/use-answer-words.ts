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
      formula: {
        long: t('chatAnswer.formula.long'),
        deep: t('chatAnswer.formula.deep'),
        wrong: t('chatAnswer.formula.wrong'),
      },
    }
  })
}
