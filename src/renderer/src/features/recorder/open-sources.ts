import { SourceError } from './audio/sources.ts'
import type { Recorder, RecorderEvents } from './audio/recorder.ts'
import type { CapturePreferences } from './preferences.ts'

/** Opened sources in the order of their channels. */
export interface OpenedSources {
  readonly recorder: Recorder
  readonly roles: readonly ('mic' | 'others')[]
}

/** Opens what was chosen; the audio parts are fetched with the first recording. Throws SourceError. */
export async function openSources(
  { microphone, system, deviceId, mode }: CapturePreferences,
  events: RecorderEvents,
): Promise<OpenedSources> {
  const roles = [...(microphone ? ['mic' as const] : []), ...(system ? ['others' as const] : [])]
  if (roles.length === 0) throw new SourceError('no-device')
  const { openRecorder } = await import('./audio/recorder.ts')
  return { recorder: await openRecorder({ roles, deviceId, mode }, events), roles }
}
