import type {
  RecallMethod,
  RetrievalRun,
  RetrievalSettings,
} from '../../../../shared/model/retrieval.ts'

/** Where the settings of the last question are kept: the page's own storage. */
export type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-retrieval'

/** What the service takes where nothing is said (service-notes 7), asked both ways. */
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

/** The ways of recall in the order they are offered. */
export const recallMethods: readonly RecallMethod[] = ['mixed', 'embedding', 'keyword']

/** Reads the settings of an account's last question; what is missing or broken is as on the first day. */
export function readSettings(store: SettingsStorage, accountId: string): RetrievalSettings {
  try {
    const saved: unknown = JSON.parse(store.getItem(`${name}-${accountId}`) ?? '{}')
    return checkedSettings(saved) ?? defaultSettings
  } catch {
    return defaultSettings
  }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writeSettings(
  store: SettingsStorage,
  accountId: string,
  settings: RetrievalSettings,
): void {
  try {
    store.setItem(`${name}-${accountId}`, JSON.stringify(settings))
  } catch {
    // The next question begins as the first one did.
  }
}

/** Settings out of a file or a storage, each field judged by itself; null when it is no object. */
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

/** The fields by which the settings of two runs differ. */
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
