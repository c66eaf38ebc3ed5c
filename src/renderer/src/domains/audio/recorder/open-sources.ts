import { SourceError } from './audio/sources.ts'
import type { Recorder, RecorderEvents } from './audio/recorder.ts'
import type { CapturePreferences } from './recorder-preferences.ts'

/** Opened sources in channel order. */
interface OpenedSources {
  readonly recorder: Recorder
  readonly roles: readonly ('mic' | 'others')[]
}

/** Opens the chosen sources; the audio modules are loaded with the first recording. Throws SourceError. */
export async function openSources(
  { microphone, system, deviceId, mode }: CapturePreferences,
  events: RecorderEvents,
): Promise<OpenedSources> {
  const roles = [...(microphone ? ['mic' as const] : []), ...(system ? ['others' as const] : [])]
  if (roles.length === 0) throw new SourceError('no-device')
  const { openRecorder } = await import('./audio/recorder.ts')
  return { recorder: await openRecorder({ roles, deviceId, mode }, events), roles }
}
