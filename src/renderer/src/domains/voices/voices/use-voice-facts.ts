import { computed, type Ref } from 'vue'
import type { Voice } from '../../../../../shared/model/voice.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useMadeTime } from './use-made-time.ts'

/** Details of a voice, as lines of a name and a value. */
export function useVoiceFacts(voice: Ref<Voice | undefined>) {
  const { t, dateTime } = useTranslation()
  const made = useMadeTime()
  return computed(() => {
    const one = voice.value
    if (!one) return []
    const type =
      one.type === 'PRIVATE'
        ? t('voices.mine')
        : one.type === 'OFFICIAL'
          ? t('voices.official')
          : one.type
    const used =
      one.usedAt === null
        ? t('voices.neverUsed')
        : t('voices.usedTimes', { n: one.uses, time: dateTime(one.usedAt) }, one.uses)
    return [
      { name: t('voices.type'), value: type },
      { name: t('voices.id'), value: one.voice },
      ...(one.createTime ? [{ name: t('voices.created'), value: made(one.createTime) }] : []),
      { name: t('voices.used'), value: used },
      { name: t('voices.seen'), value: dateTime(one.seenAt) },
      ...(one.goneAt === null
        ? []
        : [{ name: t('voices.goneSince'), value: dateTime(one.goneAt) }]),
    ]
  })
}
