import type { Meeting } from '../../../../../shared/model/meeting.ts'

/** Target of a part of the completeness line. */
type CompletenessTarget = 'end' | 'waiting' | 'flagged' | 'failed' | 'gap'

/** One part of the completeness line: its message, its numbers, and its tone. */
export interface CompletenessPart {
  readonly key:
    | 'recorded'
    | 'written'
    | 'missing'
    | 'transcribed'
    | 'noSpeech'
    | 'check'
    | 'failed'
    | 'gaps'
  /** Milliseconds, a percentage, or a count. */
  readonly value: number
  readonly tone: 'good' | 'plain' | 'warn' | 'danger'
  readonly target: CompletenessTarget
}

/** Difference between recorded and written audio that is only rounding, in milliseconds. */
const roundingMs = 2

/** Returns the transcribed share of the speech, in whole percent; 100 only if nothing is missing. */
export function transcribedPercent({
  segmentsMs,
  transcribedMs,
  waiting,
  failed,
}: Meeting['completeness']): number {
  if (segmentsMs === 0) return 100
  const percent = Math.floor((transcribedMs / segmentsMs) * 100)
  return waiting + failed > 0 ? Math.min(99, percent) : percent
}

/** Whether voice activity detection has processed all written audio; the last frame may be short. */
export function isAnalyzed({ analysedMs, writtenMs }: Meeting['completeness']): boolean {
  return analysedMs >= writtenMs - 100
}

/** Returns the parts of the completeness line, in order. */
export function completenessParts(
  meeting: Pick<Meeting, 'completeness' | 'hasAudio'>,
): readonly CompletenessPart[] {
  const { completeness: facts, hasAudio } = meeting
  const parts: CompletenessPart[] = []
  if (hasAudio) {
    if (facts.recordedMs !== null)
      parts.push({ key: 'recorded', value: facts.recordedMs, tone: 'plain', target: 'end' })
    else parts.push({ key: 'written', value: facts.writtenMs, tone: 'plain', target: 'end' })
    const missing = (facts.recordedMs ?? 0) - facts.writtenMs
    if (missing > roundingMs)
      parts.push({ key: 'missing', value: missing, tone: 'danger', target: 'end' })
  }
  if (facts.segments > 0) {
    const percent = transcribedPercent(facts)
    const whole = percent === 100 && (!hasAudio || isAnalyzed(facts))
    const tone = whole ? 'good' : 'plain'
    parts.push({ key: 'transcribed', value: percent, tone, target: 'waiting' })
  } else if (hasAudio && facts.writtenMs > 0 && isAnalyzed(facts))
    parts.push({ key: 'noSpeech', value: 0, tone: 'plain', target: 'end' })
  if (facts.failed > 0)
    parts.push({ key: 'failed', value: facts.failed, tone: 'danger', target: 'failed' })
  if (facts.flagged > 0)
    parts.push({ key: 'check', value: facts.flagged, tone: 'warn', target: 'flagged' })
  if (facts.gapsMs > 0)
    parts.push({ key: 'gaps', value: facts.gapsMs, tone: 'warn', target: 'gap' })
  return parts
}
