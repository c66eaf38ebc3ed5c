/** Recording preferences: shown on the start card the next time. */
export interface CapturePreferences {
  readonly microphone: boolean
  /** Empty: the system default. IDs are assigned by the browser for this origin only. */
  readonly deviceId: string
  readonly system: boolean
  /** Headset: no echo, so the microphone is left unprocessed. Speaker: its echo is canceled. */
  readonly mode: 'headset' | 'speaker'
  /** Minutes of silence after which a countdown begins; null means never. */
  readonly autoStopMinutes: number | null
  /** The account that transcribes, as chosen on the start card; '' for the active one. */
  readonly accountId: string
  /** Whether a recording was started with them: until then, the sources are shown before the first one. */
  readonly used: boolean
}

/** Storage of the page, since device IDs have no meaning elsewhere. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-capture'
const first: CapturePreferences = {
  microphone: true,
  deviceId: '',
  system: false,
  mode: 'headset',
  autoStopMinutes: null,
  accountId: '',
  used: false,
}

/** Reads the preferences; missing or invalid values are replaced by defaults. */
export function readPreferences(store: PreferenceStore): CapturePreferences {
  let saved: Partial<Record<keyof CapturePreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return first
  }
  const { microphone, deviceId, system, mode, autoStopMinutes: minutes, accountId, used } = saved
  const stops = typeof minutes === 'number' && minutes >= 1 && minutes <= 120
  return {
    microphone: typeof microphone === 'boolean' ? microphone : first.microphone,
    deviceId: typeof deviceId === 'string' ? deviceId : first.deviceId,
    system: typeof system === 'boolean' ? system : first.system,
    mode: mode === 'speaker' ? mode : first.mode,
    autoStopMinutes: stops ? minutes : null,
    accountId: typeof accountId === 'string' ? accountId : first.accountId,
    used: used === true,
  }
}

/** Saves the preferences; if the storage is full or unavailable, they are only lost. */
export function writePreferences(store: PreferenceStore, preferences: CapturePreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A recording must not fail because its preferences cannot be saved.
  }
}
