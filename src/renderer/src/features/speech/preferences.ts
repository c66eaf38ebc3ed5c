import { defaultSpeech, type SpeechSettings } from '../../../../shared/model/speech.ts'

const name = 'lectern-speech'

/** Where they are kept: the page's own storage. */
type SavedItem = Pick<Storage, 'getItem' | 'setItem'>

/** The settings that a new speech begins with: those of the last one, but for what is paid again. What is missing or broken is as on the first day. */
export function readSpeechSettings(store: SavedItem): SpeechSettings {
  try {
    const kept = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as Partial<Record<string, unknown>>
    const same = Object.entries(defaultSpeech).filter(
      ([key, usual]) =>
        // What costs money is chosen for each speech.
        key !== 'paidRetries' &&
        (typeof kept[key] === typeof usual || key === 'voice' || key === 'accountId'),
    )
    const fields = same.flatMap(([key]) => (kept[key] === undefined ? [] : [[key, kept[key]]]))
    return { ...defaultSpeech, ...(Object.fromEntries(fields) as Partial<SpeechSettings>) }
  } catch {
    return defaultSpeech
  }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writeSpeechSettings(store: SavedItem, settings: SpeechSettings): void {
  try {
    store.setItem(name, JSON.stringify(settings))
  } catch {
    // A text is spoken all the same.
  }
}
