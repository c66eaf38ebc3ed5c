import {
  defaultSettings,
  storedSettings,
  type Settings,
} from '../../../../shared/contract/settings.ts'
import { remembered, type Connection } from '../../../platform/database/connection.ts'

/** The user's settings: one row each, only deviations from the defaults. */
export interface SettingsStore {
  get(): Settings
  /** Absent and undefined fields stay unchanged. */
  update(patch: { readonly [N in keyof Settings]?: Settings[N] | undefined }): Settings
}

/** Returns the readable settings: the page that reports a damaged library must still open. */
export function readableSettings(store: { readonly settings: SettingsStore }): Settings {
  try {
    return store.settings.get()
  } catch {
    return defaultSettings
  }
}

/** Creates the store of the settings; values are JSON. */
export function settingsStore(connection: Connection): SettingsStore {
  /** The rows read last, and what they mean: checking them takes longer than reading them. */
  let known: { readonly rows: string; readonly settings: Settings } | null = null
  function get(): Settings {
    const all = connection.all<{ key: string; value: string }>('SELECT key, value FROM settings')
    const rows = JSON.stringify(all)
    if (known?.rows !== rows) {
      const values = Object.fromEntries(all.map((row) => [row.key, parse(row.value)]))
      known = { rows, settings: storedSettings(values) }
    }
    return known.settings
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
