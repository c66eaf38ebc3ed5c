import { defaultQuickShortcut } from '../../../../shared/chats/quick-shortcut.ts'
import { partBounds } from '../../../../shared/documents/plan.ts'
import { localAccountId } from '../../../../shared/provider/profiles.ts'
import type { CertificateFact, Settings } from '../../../../shared/model/settings.ts'
import { remembered, type Connection } from '../../../platform/database/connection.ts'
import type { SettingsStore } from '../../../library-database/types.ts'

/** Default settings; only deviations are in the database. */
export const defaultSettings: Settings = {
  theme: 'system',
  language: 'system',
  activeAccountId: localAccountId,
  welcomed: false,
  listWidth: 280,
  pagesWidth: 520,
  partPages: partBounds.pages.default,
  partMegabytes: partBounds.megabytes.default,
  partRequests: partBounds.requests.default,
  inspectorOpen: true,
  certificates: [],
  updateChecks: true,
  updateOnQuit: false,
  quickShortcut: defaultQuickShortcut,
  recordShortcut: '',
  prices: {},
  proxy: 'system',
}

/** Returns the readable settings: the page that reports a damaged library must still open. */
export function readableSettings(store: { readonly settings: SettingsStore }): Settings {
  try {
    return store.settings.get()
  } catch {
    return defaultSettings
  }
}

/** Creates the store of the user's settings, one row each (JSON values). */
export function settingsStore(connection: Connection): SettingsStore {
  function get(): Settings {
    const rows = connection.all<{ key: string; value: string }>('SELECT key, value FROM settings')
    const stored = Object.fromEntries(rows.map((row) => [row.key, parse(row.value)]))
    return {
      theme: oneOf(stored['theme'], ['system', 'light', 'dark'], defaultSettings.theme),
      language: oneOf(stored['language'], ['system', 'en', 'zh-CN'], defaultSettings.language),
      activeAccountId: like(stored['activeAccountId'], defaultSettings.activeAccountId),
      welcomed: like(stored['welcomed'], defaultSettings.welcomed),
      listWidth: like(stored['listWidth'], defaultSettings.listWidth),
      pagesWidth: like(stored['pagesWidth'], defaultSettings.pagesWidth),
      partPages: within(stored['partPages'], partBounds.pages),
      partMegabytes: within(stored['partMegabytes'], partBounds.megabytes),
      partRequests: within(stored['partRequests'], partBounds.requests),
      inspectorOpen: like(stored['inspectorOpen'], defaultSettings.inspectorOpen),
      certificates: certificatesIn(stored['certificates']),
      updateChecks: like(stored['updateChecks'], defaultSettings.updateChecks),
      updateOnQuit: like(stored['updateOnQuit'], defaultSettings.updateOnQuit),
      quickShortcut: like(stored['quickShortcut'], defaultSettings.quickShortcut),
      recordShortcut: like(stored['recordShortcut'], defaultSettings.recordShortcut),
      prices: textsIn(stored['prices']),
      proxy: like(stored['proxy'], defaultSettings.proxy),
    }
  }

  return {
    get: remembered(get),
    update(patch) {
      return connection.transaction(() => {
        for (const [key, value] of Object.entries(patch)) {
          if (value === undefined || !Object.hasOwn(defaultSettings, key)) continue
          connection.run(
            'INSERT INTO settings(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value',
            key,
            JSON.stringify(value),
          )
        }
        return get()
      })
    },
  }
}

/** A value of another version may have a different type: then the default is used. */
function like<T extends string | number | boolean>(value: unknown, fallback: T): T {
  return typeof value === typeof fallback ? (value as T) : fallback
}

/** Returns the entries whose values are strings. */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function certificatesIn(value: unknown): readonly CertificateFact[] {
  const facts = Array.isArray(value) ? value : []
  return facts.filter(
    (fact: unknown): fact is CertificateFact =>
      typeof fact === 'object' &&
      fact !== null &&
      ['subject', 'sha256'].every((name) => typeof Reflect.get(fact, name) === 'string') &&
      typeof Reflect.get(fact, 'validTo') === 'number',
  )
}

/** Validates a whole number that another version may have limited differently. */
function within(
  value: unknown,
  {
    min,
    max,
    default: fallback,
  }: { readonly min: number; readonly max: number; readonly default: number },
): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return fallback
  return Math.min(max, Math.max(min, value))
}

function oneOf<const T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((each) => each === value) ?? fallback
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
