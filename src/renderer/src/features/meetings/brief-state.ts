import type { MeetingBrief } from '../../../../shared/model/meeting.ts'
import { isAnalyzed, transcribedPercent } from './completeness.ts'

/** What a row of the list says about a meeting: a key below `meeting.state.`, its number, how it is to be taken. */
export interface BriefState {
  readonly key:
    | 'recording'
    | 'paused'
    | 'interrupted'
    | 'importing'
    | 'importFailed'
    | 'transcribing'
    | 'failed'
    | 'check'
  readonly value: number
  readonly tone: 'live' | 'plain' | 'warn' | 'danger'
  /** 0 to 1 while something goes on, null while nobody knows how far; absent when nothing does. */
  readonly progress?: number | null
}

/** What a row needs of a whole meeting. */
export function briefOf(meeting: MeetingBrief): MeetingBrief {
  const { state, source, durationMs, importProgress, completeness } = meeting
  return { state, source, durationMs, importProgress, completeness }
}

/** What there is to say about a meeting; null when all is well. */
export function briefState(brief: MeetingBrief): BriefState | null {
  const { state, completeness } = brief
  if (state === 'recording' || state === 'paused') return { key: state, value: 0, tone: 'live' }
  if (state === 'importing') {
    const value = Math.floor((brief.importProgress ?? 0) * 100)
    return { key: 'importing', value, tone: 'plain', progress: brief.importProgress }
  }
  if (state === 'import-failed') return { key: 'importFailed', value: 0, tone: 'danger' }
  if (state === 'interrupted') return { key: 'interrupted', value: 0, tone: 'warn' }
  if (completeness.waiting > 0 || isLooking(brief)) {
    const value = completeness.segments === 0 ? 0 : transcribedPercent(completeness)
    return { key: 'transcribing', value, tone: 'plain', progress: value / 100 }
  }
  if (completeness.failed > 0) return { key: 'failed', value: completeness.failed, tone: 'danger' }
  if (completeness.flagged > 0) return { key: 'check', value: completeness.flagged, tone: 'warn' }
  return null
}

/** Voices are still looked for. A transcript without sound has none to look for. */
function isLooking({ completeness }: MeetingBrief): boolean {
  return completeness.writtenMs > 0 && !isAnalyzed(completeness)
}

/** Whether a meeting goes on by itself. */
export function isWorking(brief: MeetingBrief): boolean {
  const key = briefState(brief)?.key
  return ['recording', 'paused', 'importing', 'transcribing'].includes(key ?? '')
}

/** Whether a meeting needs its user. */
export function needsUser(brief: MeetingBrief): boolean {
  const { failed, flagged } = brief.completeness
  return ['interrupted', 'import-failed'].includes(brief.state) || failed + flagged > 0
}
