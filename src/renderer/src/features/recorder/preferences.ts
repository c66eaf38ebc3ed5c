/** How somebody records: what the start card shows the next time. */
export interface CapturePreferences {
  readonly microphone: boolean
  /** Empty: the system's default. Ids are the browser's, for this origin alone. */
  readonly deviceId: string
  readonly system: boolean
  /** Headset: nothing leaks back, so the microphone is left as it is. Speaker: its echo is cancelled. */
  readonly mode: 'headset' | 'speaker'
  /** Minutes of silence after which a countdown begins; null never. */
  readonly autoStopMinutes: number | null
}

/** Where they are kept: the page's own storage, since device ids mean nothing anywhere else. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-capture'
const first: CapturePreferences = {
  microphone: true,
  deviceId: '',
  system: false,
  mode: 'headset',
  autoStopMinutes: null,
}

/** Reads them; what is missing or broken is as on the first day. */
export function readPreferences(store: PreferenceStore): CapturePreferences {
  let saved: Partial<Record<keyof CapturePreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return first
  }
  const { microphone, deviceId, system, mode, autoStopMinutes: minutes } = saved
  const stops = typeof minutes === 'number' && minutes >= 1 && minutes <= 120
  return {
    microphone: typeof microphone === 'boolean' ? microphone : first.microphone,
    deviceId: typeof deviceId === 'string' ? deviceId : first.deviceId,
    system: typeof system === 'boolean' ? system : first.system,
    mode: mode === 'speaker' ? mode : first.mode,
    autoStopMinutes: stops ? minutes : null,
  }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writePreferences(store: PreferenceStore, preferences: CapturePreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A recording does not fail for the sake of the next one's comfort.
  }
}
