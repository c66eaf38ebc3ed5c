import { inject, watch } from 'vue'
import type { Meeting } from '../../../shared/model/meeting.ts'
import type { Work } from '../../../shared/model/work.ts'
import { formatClock } from '../../../shared/text/clock.ts'
import { useWork } from '../domains/library/jobs/work-store.ts'
import { i18nKey } from '../i18n/key.ts'
import { useClient } from '../lib/bridge/use-client.ts'
import { useSettings } from '../lib/settings-store.ts'
import { isInView, useSystemNotice } from '../lib/system-notice.ts'

/** What a meeting was doing at its last event. */
interface MeetingWork {
  readonly isRecording: boolean
  readonly isOpen: boolean
}

function workOf({ state, completeness, durationMs, hasAudio }: Meeting): MeetingWork {
  const isRecording = state === 'recording' || state === 'paused'
  const isOpen =
    isRecording ||
    state === 'importing' ||
    completeness.waiting > 0 ||
    (hasAudio && completeness.analysedMs < durationMs)
  return { isRecording, isOpen }
}

const keyOf = ({ kind, id }: Work): string => `${kind}-${id}`

/**
 * Notifies a user who does not see the page when a recording ends, a meeting is transcribed, or work fails; each can be
 * switched off in the settings.
 */
export function useNotifications(): void {
  const client = useClient()
  const settings = useSettings()
  const work = useWork()
  const show = useSystemNotice()
  const i18n = inject(i18nKey, null)
  const t = (key: string): string => i18n?.global.t(key) ?? key

  type Choice = 'notifyRecording' | 'notifyTranscript' | 'notifyFailure'
  const say = (
    choice: Choice,
    notice: { readonly key: string; readonly title: string; readonly body: string },
    meetingId: string | null,
  ): void => {
    if (isInView() || settings.settings?.[choice] !== true) return
    // The limits of the notice.
    const id = `${choice}-${notice.key}`.slice(0, 64)
    const body = notice.body.slice(0, 300)
    void show({ id, title: notice.title, body, recordingId: meetingId, about: 'app' })
  }

  const meetings = new Map<string, MeetingWork>()
  client.onEvent((event) => {
    if (event.type !== 'meeting.changed') return
    const { id, title, durationMs, completeness, error } = event.meeting
    const before = meetings.get(id)
    const now = workOf(event.meeting)
    meetings.set(id, now)
    if (before?.isRecording && !now.isRecording) {
      const body = `${title} · ${formatClock(durationMs / 1000)}`
      say('notifyRecording', { key: id, title: t('notify.recording'), body }, id)
    }
    const isDone = completeness.transcribedMs > 0 && completeness.failed === 0 && error === null
    if (before?.isOpen && !now.isOpen && isDone)
      say('notifyTranscript', { key: id, title: t('notify.transcript'), body: title }, id)
  })

  /** Failures that were listed before; null until the list was read. */
  let known: ReadonlySet<string> | null = null
  watch(
    () => work.list,
    (list) => {
      const failed = list.filter(({ state }) => state === 'failed')
      for (const one of known ? failed : []) {
        if (known?.has(keyOf(one))) continue
        const name = one.kind === 'meeting' || one.kind === 'export' ? one.kind : 'other'
        const notice = { key: keyOf(one), title: t(`notify.failed.${name}`), body: one.title }
        say('notifyFailure', notice, one.kind === 'meeting' ? one.placeId : null)
      }
      known = new Set(failed.map(keyOf))
    },
  )
}
