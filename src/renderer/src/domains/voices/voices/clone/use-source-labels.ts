import { computed } from 'vue'
import type { VoiceSample } from '../../../../../../shared/model/sample.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'

/** The source of a sample, as a sentence. */
export function useSourceLabels(sample: () => VoiceSample) {
  const { t, clock, dateTime } = useTranslation()
  return computed(() => {
    const { source, createdAt } = sample()
    const time = dateTime(createdAt)
    if (source.kind === 'recorded') return t('cloning.from.recorded', { time })
    if (source.kind === 'file') return t('cloning.from.file', { name: source.name, time })
    return t('cloning.from.meeting', {
      title: source.title,
      from: clock(source.startMs / 1000),
      to: clock(source.endMs / 1000),
      time,
    })
  })
}
