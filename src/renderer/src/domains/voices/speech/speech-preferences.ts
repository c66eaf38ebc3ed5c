import { defaultSpeech, type SpeechSettings } from '../../../../../shared/model/speech.ts'

const name = 'lectern-speech'

/** Storage of the preferences: the page's own. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

/**
 * The initial settings of a new narration: those of the last one, except for paid options. Missing or broken values get their
 * default.
 */
export function readSpeechSettings(store: PreferenceStore): SpeechSettings {
  try {
    const saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as Partial<
      Record<string, unknown>
    >
    const same = Object.entries(defaultSpeech).filter(
      ([key, defaultValue]) =>
        // Paid options are chosen for each narration.
        key !== 'paidRetries' &&
        (typeof saved[key] === typeof defaultValue || key === 'voice' || key === 'accountId'),
    )
    const fields = same.flatMap(([key]) => (saved[key] === undefined ? [] : [[key, saved[key]]]))
    return { ...defaultSpeech, ...(Object.fromEntries(fields) as Partial<SpeechSettings>) }
  } catch {
    return defaultSpeech
  }
}

/** Saves them; if the storage is full or unavailable, they are just not remembered. */
export function writeSpeechSettings(store: PreferenceStore, settings: SpeechSettings): void {
  try {
    store.setItem(name, JSON.stringify(settings))
  } catch {
    // The narration does not depend on it.
  }
}
