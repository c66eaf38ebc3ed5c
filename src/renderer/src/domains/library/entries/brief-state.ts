import type { MeetingBrief } from '../../../../../shared/model/meeting.ts'
import { isAnalyzed, transcribedPercent } from './completeness.ts'

/** Status of a meeting in its row: a key below `meeting.state.`, its number, and its tone. */
interface BriefState {
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
  /** 0 to 1 while work is running, null while progress is unknown; absent if none is running. */
  readonly progress?: number | null
}

/** Returns the fields of a meeting that its row needs. */
export function briefOf(meeting: MeetingBrief): MeetingBrief {
  const { state, source, durationMs, importProgress, completeness } = meeting
  return { state, source, durationMs, importProgress, completeness }
}

/** Returns the status of a meeting; null if there is nothing to report. */
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

/** Whether voice activity is still being detected. A transcript without audio has none. */
function isLooking({ completeness }: MeetingBrief): boolean {
  return completeness.writtenMs > 0 && !isAnalyzed(completeness)
}

/** Whether a meeting has running work. */
export function isWorking(brief: MeetingBrief): boolean {
  const key = briefState(brief)?.key
  return ['recording', 'paused', 'importing', 'transcribing'].includes(key ?? '')
}

/** Whether a meeting needs attention. */
export function needsUser(brief: MeetingBrief): boolean {
  const { failed, flagged } = brief.completeness
  return ['interrupted', 'import-failed'].includes(brief.state) || failed + flagged > 0
}
