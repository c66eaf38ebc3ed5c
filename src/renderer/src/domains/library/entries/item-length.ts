import type { ItemSummary } from '../../../../../shared/model/library.ts'
import type { useTranslation } from '../../../i18n/use-translation.ts'

/** Returns the length of an item: duration of audio, pages of a document, messages of a chat. */
export function lengthOf(
  { document, conversation, duration }: ItemSummary,
  { t, number, clock }: Pick<ReturnType<typeof useTranslation>, 't' | 'number' | 'clock'>,
): string {
  if (conversation && conversation.messages > 0)
    return t('chatList.messages', { n: number(conversation.messages) }, conversation.messages)
  if (document && document.pages > 0)
    return t('document.pageCount', { n: number(document.pages) }, document.pages)
  return duration === null ? '' : clock(duration)
}
