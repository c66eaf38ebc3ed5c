import { computed, ref, shallowRef, watch } from 'vue'
import type { ItemSummary } from '../../../../../../shared/model/library.ts'
import type { Line, Speaker } from '../../../../../../shared/model/meeting.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'

/** Margin on both sides of the selection, in milliseconds. */
const marginMs = 150

/** Meetings, the lines of one, and the range of the selected lines. */
export function useMeetingRange() {
  const client = useClient()
  const { t } = useTranslation()
  const meetings = shallowRef<readonly ItemSummary[]>([])
  const meetingId = ref('')
  const lines = shallowRef<readonly Line[]>([])
  const speakers = shallowRef<readonly Speaker[]>([])
  const chosen = ref<readonly string[]>([])

  const load = async (): Promise<void> => {
    const reply = await client.request('library.list', { kinds: ['meeting'], limit: 200 })
    if (reply.ok) meetings.value = reply.data.items
  }
  watch(meetingId, async (id) => {
    lines.value = []
    if (id === '') return
    const [meeting, linesReply] = await Promise.all([
      client.request('meetings.get', { id }),
      client.request('meetings.lines', { id, limit: 2000 }),
    ])
    if (meetingId.value !== id) return
    if (meeting.ok) speakers.value = meeting.data.meeting.speakers
    if (linesReply.ok) lines.value = linesReply.data.lines.filter(({ text }) => text !== '')
  })

  const taken = computed(() => {
    const ids = new Set(chosen.value)
    const at = lines.value.flatMap((line, i) => (ids.has(line.id) ? [i] : []))
    const [first] = at
    // A range has no gaps: the lines in between belong to it.
    return first === undefined ? [] : lines.value.slice(first, (at.at(-1) ?? first) + 1)
  })
  const span = computed(() => {
    const [first] = taken.value
    if (!first) return null
    const channels = new Set(taken.value.map(({ channel }) => channel))
    return {
      meetingId: meetingId.value,
      channel: channels.size === 1 ? first.channel : ('mix' as const),
      startMs: Math.max(0, Math.min(...taken.value.map(({ startMs }) => startMs)) - marginMs),
      endMs: Math.max(...taken.value.map(({ endMs }) => endMs)) + marginMs,
    }
  })
  const several = computed(() => new Set(taken.value.map(({ speakerId }) => speakerId)).size > 1)
  const speakerOf = (line: Line): string =>
    speakers.value.find(({ id }) => id === line.speakerId)?.name ||
    t('cloning.channel', { n: line.channel + 1 })
  return { meetings, meetingId, lines, chosen, span, several, speakerOf, load }
}
