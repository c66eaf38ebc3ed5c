import type {
  RecallMethod,
  RetrievalRun,
  RetrievalSettings,
} from '../../../../../shared/model/retrieval.ts'

/** Storage for the settings of the last question: that of the page. */
type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-retrieval'

/** The provider's defaults (service-notes 7), with both variants. */
export const defaultSettings: RetrievalSettings = {
  bases: [],
  documents: [],
  topK: 8,
  topN: 10,
  recallMethod: 'mixed',
  recallRatio: 80,
  rerank: 'both',
  rerankModel: 'rerank',
  threshold: null,
}

/** Retrieval methods in display order. */
export const recallMethods: readonly RecallMethod[] = ['mixed', 'embedding', 'keyword']

/** Reads the settings of an account's last question; missing or invalid values are replaced by defaults. */
export function readSettings(store: SettingsStorage, accountId: string): RetrievalSettings {
  try {
    const saved: unknown = JSON.parse(store.getItem(`${name}-${accountId}`) ?? '{}')
    return checkedSettings(saved) ?? defaultSettings
  } catch {
    return defaultSettings
  }
}

/** Saves the settings; if the storage is full or unavailable, they are only lost. */
export function writeSettings(
  store: SettingsStorage,
  accountId: string,
  settings: RetrievalSettings,
): void {
  try {
    store.setItem(`${name}-${accountId}`, JSON.stringify(settings))
  } catch {
    // The next question starts with the defaults.
  }
}

/** Validates settings from a file or a storage, each field separately; returns null when it is not an object. */
export function checkedSettings(value: unknown): RetrievalSettings | null {
  if (typeof value !== 'object' || value === null) return null
  const fields = value as Readonly<Record<string, unknown>>
  const number = (key: string, min: number, max: number, defaultValue: number): number => {
    const one = fields[key]
    return typeof one === 'number' && one >= min && one <= max ? Math.round(one) : defaultValue
  }
  const among = <T extends string>(key: string, names: readonly T[], defaultValue: T): T =>
    names.find((one) => one === fields[key]) ?? defaultValue
  const threshold = fields['threshold']
  return {
    bases: namedIn(fields['bases']),
    documents: namedIn(fields['documents']),
    topK: number('topK', 1, 1000, defaultSettings.topK),
    topN: number('topN', 1, 1000, defaultSettings.topN),
    recallMethod: among('recallMethod', recallMethods, defaultSettings.recallMethod),
    recallRatio: number('recallRatio', 0, 100, defaultSettings.recallRatio),
    rerank: among('rerank', ['off', 'on', 'both'], defaultSettings.rerank),
    rerankModel: among('rerankModel', ['rerank', 'rerank-pro'], defaultSettings.rerankModel),
    threshold: typeof threshold === 'number' && Number.isFinite(threshold) ? threshold : null,
  }
}

function namedIn(value: unknown): RetrievalSettings['bases'] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('id' in one)) return []
    const { id } = one
    const storedName = 'name' in one && typeof one.name === 'string' ? one.name : ''
    return typeof id === 'string' && id !== '' ? [{ id, name: storedName }] : []
  })
}

/** Returns the fields in which the settings of two runs differ. */
export function changedFields(
  a: RetrievalRun['settings'],
  b: RetrievalRun['settings'],
): readonly (keyof RetrievalSettings)[] {
  const names = Object.keys(defaultSettings) as (keyof RetrievalSettings)[]
  const ids = (of: RetrievalSettings, key: 'bases' | 'documents'): string =>
    of[key].map(({ id }) => id).join(' ')
  return names.filter((key) =>
    key === 'bases' || key === 'documents' ? ids(a, key) !== ids(b, key) : a[key] !== b[key],
  )
}
