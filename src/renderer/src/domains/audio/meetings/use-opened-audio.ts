import { computed, onScopeDispose } from 'vue'
import type { Span } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { speechSpans } from './skip-silence.ts'
import { useMeeting } from './meetings-store.ts'
import { useMeetingPlayer, type MeetingPlayer, type MeetingAudio } from './use-meeting-player.ts'

const growing: ReadonlySet<string> = new Set(['recording', 'paused', 'importing'])

/** Player of the opened meeting, registered in the workspace for the lifetime of the component. */
export function useOpenedAudio(): MeetingPlayer {
  const client = useClient()
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
  const meetingAudio = computed<MeetingAudio>(() => {
    const one = store.meeting
    const urls: string[] = []
    // The original file sounds better than the playback copy; if the browser cannot play it, the copy is used.
    if (one?.originalMediaId && one.hasAudio) urls.push(client.mediaUrl(one.originalMediaId))
    if (one?.hasAudio && one.durationMs > 0) urls.push(client.mediaUrl(`meeting-${one.id}`))
    return {
      urls,
      title: one?.title ?? '',
      durationMs: one?.durationMs ?? 0,
      roles: one?.channels ?? [],
      grows: growing.has(one?.state ?? ''),
    }
  })
  const spoken = computed<readonly Span[]>(() => {
    const mix = workspace.player?.playbackMix.value ?? 'mix'
    return speechSpans(store.segments, (channel) => mix === 'mix' || mix === channel)
  })
  const player = useMeetingPlayer(meetingAudio, spoken)
  workspace.player = player
  onScopeDispose(() => {
    if (workspace.player === player) workspace.player = null
  })
  return player
}
