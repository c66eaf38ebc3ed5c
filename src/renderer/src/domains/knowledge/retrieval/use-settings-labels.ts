import type { RetrievalRun, RetrievalSettings } from '../../../../../shared/model/retrieval.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Short descriptions of retrieval settings. */
export function useSettingsLabels() {
  const { t, number, dateTime, language } = useTranslation()

  /** Describes one field, for example "8 hits". */
  const fieldOf = (settings: RetrievalSettings, name: keyof RetrievalSettings): string => {
    const { bases, documents, recallMethod, recallRatio, rerank, rerankModel } = settings
    switch (name) {
      case 'bases':
        return bases.map((base) => base.name || base.id).join(', ')
      case 'documents':
        return documents.length === 0
          ? t('retrieval.allDocuments')
          : t('retrieval.someDocuments', { n: number(documents.length) }, documents.length)
      case 'topK':
        return t('retrieval.topKIs', { n: number(settings.topK) }, settings.topK)
      case 'topN':
        return t('retrieval.topNIs', { n: number(settings.topN) }, settings.topN)
      case 'recallMethod':
        return t(`retrieval.method.${recallMethod}`)
      case 'recallRatio':
        return t('retrieval.ratioIs', { n: number(recallRatio) })
      case 'rerank':
        return t(`retrieval.rerank.${rerank}`)
      case 'rerankModel':
        return rerankModel
      case 'threshold':
        return settings.threshold === null
          ? t('retrieval.noThreshold')
          : t('retrieval.thresholdIs', { n: number(settings.threshold) })
    }
  }
  /** Summarizes the relevant settings in one line. */
  const lineOf = (settings: RetrievalSettings): string => {
    const mixed = settings.recallMethod === 'mixed' ? (['recallRatio'] as const) : []
    const ranked = settings.rerank === 'off' ? [] : (['rerankModel'] as const)
    const limited = settings.threshold === null ? [] : (['threshold'] as const)
    return (['recallMethod', ...mixed, 'topK', 'topN', 'rerank', ...ranked, ...limited] as const)
      .map((name) => fieldOf(settings, name))
      .join(' · ')
  }
  const nameOf = ({ title, createdAt }: Pick<RetrievalRun, 'title' | 'createdAt'>): string =>
    title || dateTime(createdAt)
  const share = (value: number | null): string =>
    value === null
      ? '–'
      : value.toLocaleString(language.value, {
          minimumFractionDigits: 3,
          maximumFractionDigits: 3,
        })
  /** Formats a number with its sign; numbers that round to zero have none. */
  const change = (value: number | null, digits = 3): string =>
    value === null
      ? '–'
      : value.toLocaleString(language.value, {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
          signDisplay: 'exceptZero',
        })
  return { fieldOf, lineOf, nameOf, share, change }
}
