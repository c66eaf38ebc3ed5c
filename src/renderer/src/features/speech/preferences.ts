import { defaultSpeech, type SpeechSettings } from '../../../../shared/model/speech.ts'

const name = 'lectern-speech'

/** Where they are kept: the page's own storage. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

/** The settings that a new speech begins with: those of the last one, but for what is paid again. What is missing or broken is as on the first day. */
export function readSpeechSettings(store: PreferenceStore): SpeechSettings {
  try {
    const saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as Partial<Record<string, unknown>>
    const same = Object.entries(defaultSpeech).filter(
      ([key, defaultValue]) =>
        // What costs money is chosen for each speech.
        key !== 'paidRetries' &&
        (typeof saved[key] === typeof defaultValue || key === 'voice' || key === 'accountId'),
    )
    const fields = same.flatMap(([key]) => (saved[key] === undefined ? [] : [[key, saved[key]]]))
    return { ...defaultSpeech, ...(Object.fromEntries(fields) as Partial<SpeechSettings>) }
  } catch {
    return defaultSpeech
  }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writeSpeechSettings(store: PreferenceStore, settings: SpeechSettings): void {
  try {
    store.setItem(name, JSON.stringify(settings))
  } catch {
    // A text is spoken all the same.
  }
}
