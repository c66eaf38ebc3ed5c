/** Why a source could not be opened. `no-audio`: it was shared without audio. `ended`: it ended right after opening. */
export type SourceProblem =
  | 'denied'
  | 'no-device'
  | 'busy'
  | 'cancelled'
  | 'no-audio'
  | 'ended'
  | 'unsupported'

/** Error of a source that could not be opened, with its reason. */
export class SourceError extends Error {
  readonly problem: SourceProblem
  constructor(problem: SourceProblem, options?: ErrorOptions) {
    super(`The source cannot be opened: ${problem}`, options)
    this.problem = problem
  }
}

/** The part of the browser's device API that is used here. */
export type Devices = Pick<MediaDevices, 'getUserMedia' | 'enumerateDevices'> &
  Partial<Pick<MediaDevices, 'getDisplayMedia'>>

/**
 * Constraints of the microphone. Recordings should preserve the room's audio: no gain control, no noise suppression; echo
 * cancellation only where audio from loudspeakers would be recorded twice.
 */
export function microphoneConstraints(
  deviceId: string,
  mode: 'headset' | 'speaker',
): MediaTrackConstraints {
  return {
    ...(deviceId !== '' && { deviceId: { exact: deviceId } }),
    echoCancellation: mode === 'speaker',
    noiseSuppression: false,
    autoGainControl: false,
    channelCount: 1,
  }
}

/** Opens a microphone; the system default when the preferred one is missing. Throws {@link SourceError}. */
export async function openMicrophone(
  devices: Devices,
  deviceId: string,
  mode: 'headset' | 'speaker',
): Promise<MediaStream> {
  const ask = (id: string): Promise<MediaStream> =>
    devices.getUserMedia({ audio: microphoneConstraints(id, mode), video: false })
  try {
    return await ask(deviceId)
  } catch (error) {
    const gone = ['OverconstrainedError', 'NotFoundError'].includes(nameOf(error))
    if (deviceId === '' || !gone) throw new SourceError(problemOf(error), { cause: error })
  }
  return ask('').catch((error: unknown) => {
    throw new SourceError(problemOf(error), { cause: error })
  })
}

/** Chromium's options for sharing, which the standard types lack. */
interface SharingOptions extends DisplayMediaStreamOptions {
  readonly systemAudio: 'include'
  readonly surfaceSwitching: 'include'
  readonly selfBrowserSurface: 'exclude'
}

/**
 * Opens system audio: the Electron host responds with its loopback, a browser lets the user share a tab or screen with its
 * audio. A video track must be requested, or there is no audio; it is stopped and removed at once, and the audio continues
 * without it. Throws {@link SourceError}. Call only in response to a click.
 */
export async function openSystemAudio(devices: Devices): Promise<MediaStream> {
  if (!devices.getDisplayMedia) throw new SourceError('unsupported')
  const options: SharingOptions = {
    video: true,
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    systemAudio: 'include',
    surfaceSwitching: 'include',
    selfBrowserSurface: 'exclude',
  }
  const stream = await devices.getDisplayMedia(options).catch((error: unknown) => {
    const problem = problemOf(error)
    throw new SourceError(problem === 'denied' ? 'cancelled' : problem, { cause: error })
  })
  for (const track of stream.getVideoTracks()) {
    track.stop()
    stream.removeTrack(track)
  }
  if (stream.getAudioTracks().length === 0) throw new SourceError('no-audio')
  return stream
}

/** A microphone that can be chosen. The label is empty until the browser may reveal it. */
export interface Microphone {
  readonly id: string
  readonly label: string
  readonly groupId: string
}

/** Returns the available microphones, without the duplicates that represent the system default. */
export async function listMicrophones(devices: Devices): Promise<readonly Microphone[]> {
  const all = await devices.enumerateDevices()
  return all
    .filter(({ kind, deviceId }) => kind === 'audioinput' && !isAlias(deviceId))
    .map(({ deviceId, label, groupId }) => ({ id: deviceId, label, groupId }))
}

/** Returns the group of the device that is currently the system default; null where the browser does not report it. */
export async function defaultGroup(devices: Devices): Promise<string | null> {
  const all = await devices.enumerateDevices()
  const found = all.find(({ kind, deviceId }) => kind === 'audioinput' && deviceId === 'default')
  return found?.groupId ?? null
}

const isAlias = (id: string): boolean => ['', 'default', 'communications'].includes(id)
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

function problemOf(error: unknown): SourceProblem {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'no-device'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'unsupported'
  }
}
