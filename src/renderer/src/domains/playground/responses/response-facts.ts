import { computed } from 'vue'
import type { ReplyOf } from '../../../../../shared/contract/routes.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Settings and usage of a Response, as names and values; omits what the response does not contain. */
export function useResponseFacts(opened: () => ReplyOf<'responses.get'>) {
  const { t, number, moment, engine } = useTranslation()
  return computed(() => {
    const { remoteItem, response, usage } = opened()
    const count = (value: number | null | undefined): string | null =>
      value === null || value === undefined ? null : number(value)
    const within = (whole: string | null, key: string, part: number | null | undefined) =>
      whole !== null && part ? `${whole} (${t(key, { n: number(part) })})` : whole
    const all: (readonly [string, string | null])[] = [
      [t('activity.model'), response?.model || remoteItem.model],
      [t('playground.engine'), remoteItem.engine === null ? null : engine(remoteItem.engine)],
      [
        t('responses.made'),
        response?.createdAt === null || response === null
          ? null
          : moment(response.createdAt * 1000),
      ],
      [t('responses.format'), response?.textFormat ?? null],
      [t('responses.temperature'), count(response?.temperature)],
      [t('responses.topP'), count(response?.topP)],
      [t('responses.maxTokens'), count(response?.maxOutputTokens)],
      [
        t('responses.inputTokens'),
        within(count(usage?.inputTokens), 'responses.cached', usage?.cachedTokens),
      ],
      [
        t('responses.outputTokens'),
        within(count(usage?.outputTokens), 'responses.thought', usage?.reasoningTokens),
      ],
    ]
    return all.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
  })
}
