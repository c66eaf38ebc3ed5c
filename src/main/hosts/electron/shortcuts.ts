import { globalShortcut } from 'electron'
import type { ShortcutName } from '../../../shared/contract/shortcuts.ts'
import type { ShortcutHost } from '../../host.ts'
import { confirmsShortcuts, createShortcuts } from '../support/shortcuts.ts'

/** System-wide shortcuts; they are released when the process ends. */
export function setupShortcuts(runs: Readonly<Record<ShortcutName, () => void>>): ShortcutHost {
  const asks = confirmsShortcuts(process.platform, process.env)
  const shortcuts = createShortcuts(globalShortcut, runs, asks)
  return { use: async (name, keys) => shortcuts.use(name, keys) }
}
