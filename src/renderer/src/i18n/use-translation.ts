import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Failure } from '../../../shared/contract/reply.ts'
import { formatClock } from '../../../shared/text/clock.ts'
import { en } from './en/index.ts'
import { answerNoticeText, engineText, noticeSentences, noticeText } from './engine-labels.ts'
import { failureText, namesIn, type FailureText } from './failure.ts'
import * as format from './format.ts'

/** Translated text and formatted values, for all components and stores. */
export function useTranslation() {
  const { t, te, locale } = useI18n({ useScope: 'global' })
  const language = computed(() => locale.value)
  return {
    t,
    language,
    failure: (failure: Failure): FailureText =>
      failureText(
        failure,
        {
          t: (key, named) => t(key, named),
          te: (key) => te(key) || te(key, 'en'),
          names: (key) => namesIn(englishOf(key)),
        },
        language.value,
      ),
    notice: (text: string) => noticeText(text, t, language.value),
    answerNotice: (text: string) => answerNoticeText(text, t, language.value),
    noticeSentences: (text: string) => noticeSentences(text, t, language.value),
    engine: (name: string) => engineText(name, t),
    bytes: (bytes: number) => format.formatBytes(bytes, language.value),
    clock: formatClock,
    ms: (ms: number) => format.formatMs(ms, language.value),
    time: (at: number) => format.formatTime(at, language.value),
    shortDate: (at: number) => format.formatDate(at, language.value),
    dateTime: (at: number) => format.formatDateTime(at, language.value),
    moment: (at: number) => format.formatMoment(at, language.value),
    seconds: (seconds: number) => format.formatSeconds(seconds, language.value),
    gap: computed(() => format.sentenceGap(language.value)),
    exact: (at: number) => format.formatExact(at, language.value),
    number: (value: number) => value.toLocaleString(language.value),
  }
}

/** The raw English sentence of a key. */
function englishOf(key: string): string {
  let node: unknown = en
  for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part]
  return typeof node === 'string' ? node : ''
}
