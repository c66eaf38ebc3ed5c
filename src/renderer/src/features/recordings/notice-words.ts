import { noticeParts } from '../../../../shared/service/engine-notices.ts'
import { sentenceGap } from '../../i18n/format.ts'

/** What a service said beside a text: the sentences of this computer's engine in the reader's language, others as they came. */
export function noticeWords(t: (key: string) => string, language: string, notice: string): string {
  const sentences = noticeParts(notice).map((part) =>
    'known' in part ? t(`engineNotices.${part.known}`) : part.text,
  )
  return sentences.join(sentenceGap(language))
}
