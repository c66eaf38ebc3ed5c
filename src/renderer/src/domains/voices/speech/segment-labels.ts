import type { SpeechSegment, TakeCheck } from '../../../../../shared/model/speech.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Text of a segment's row in addition to its content. */
interface SegmentNote {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'danger' | 'ok'
}

/** Labels for a segment's status and its verification. */
export function useSegmentLabels() {
  const { t, number, time, failure, language } = useTranslation()
  const listed = (words: readonly string[]): string =>
    new Intl.ListFormat(language.value, { type: 'unit' }).format(words)

  const stateNote = (segment: SpeechSegment): SegmentNote | null => {
    if (segment.state === 'done' || segment.state === 'silent') return null
    if (segment.state === 'failed')
      return {
        text: segment.error ? failure(segment.error).what : t('speech.state.failed'),
        tone: 'danger',
      }
    if (segment.nextTryAt !== null) {
      const offline = segment.error?.code === 'OFFLINE'
      const key = offline ? 'speech.waitsForNetwork' : 'speech.triesAgain'
      return { text: t(key, { time: time(segment.nextTryAt) }), tone: 'warn' }
    }
    return {
      text: t(`speech.state.${segment.state}`),
      tone: segment.state === 'stale' ? 'warn' : 'plain',
    }
  }
  const checkNote = (check: TakeCheck | null): SegmentNote | null => {
    if (!check) return null
    if (check.state === 'unchecked')
      return { text: t(`speech.unchecked.${check.reason}`), tone: 'plain' }
    const counts = (['missing', 'changed', 'added'] as const).flatMap((kind) => {
      const n = check.marks.filter((mark) => mark.kind === kind).length
      return n === 0 ? [] : [t(`speech.${kind}`, { n: number(n) }, n)]
    })
    const share = number(Math.floor(check.score * 100))
    if (counts.length === 0) return { text: t('speech.matches'), tone: 'ok' }
    const key = check.unsure ? 'speech.matchUncertain' : 'speech.matchShare'
    return {
      text: t(key, { share, counts: listed(counts) }),
      tone: check.unsure ? 'plain' : 'warn',
    }
  }
  return { stateNote, checkNote }
}
