import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { MeetingSummaryText } from '../../../../../shared/model/meeting.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'
import type { SummaryPreferences } from './summary-preferences.ts'

/** Creates and removes summaries of one meeting; their progress is reported by the meeting's own events. */
export function useSummaries(meetingId: () => string) {
  const client = useClient()
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  /** Summaries that are being removed, for pages that have not been updated yet. */
  const leaving = ref<ReadonlySet<string>>(new Set())

  const make = async (wanted: SummaryPreferences): Promise<boolean> => {
    const { templateId, accountId, assistantId } = wanted
    busy.value = true
    const reply = await client.request('meetings.summarise', {
      id: meetingId(),
      templateId,
      ...(accountId !== '' && { accountId }),
      ...(assistantId !== '' && { assistantId }),
      streamId: callerId(),
    })
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    return reply.ok
  }
  const remove = async (summaryId: string): Promise<void> => {
    leaving.value = new Set([...leaving.value, summaryId])
    const reply = await client.request('meetings.removeSummary', { id: meetingId(), summaryId })
    if (reply.ok) return
    failure.value = reply.error
    leaving.value = new Set([...leaving.value].filter((id) => id !== summaryId))
  }
  /** Creates a failed summary again in its place; the failed one stays if the new one does not start. */
  const again = async (
    failed: MeetingSummaryText,
    wanted: Omit<SummaryPreferences, 'templateId'>,
  ): Promise<void> => {
    if (await make({ ...wanted, templateId: failed.templateId })) await remove(failed.id)
  }
  return { busy, failure, leaving, make, remove, again }
}
