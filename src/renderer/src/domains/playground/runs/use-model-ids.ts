import { offeredModels, type ModelUse } from '../../../../../shared/provider/model-names.ts'
import { useAccounts } from '../../settings/index.ts'

/** Returns the active account's known model IDs for a use, as its host spells them; none before accounts are loaded. */
export function useModelIds(): (use: ModelUse) => readonly string[] {
  const accounts = useAccounts()
  if (!accounts.loaded) void accounts.load()
  return (use) => (accounts.active ? offeredModels(use, accounts.active) : [])
}

/** Returns the use of the model in an operation's form; null if the operation takes no model name or has its own options. */
export function modelUseOf(operation: string, kind: unknown): ModelUse | null {
  if (operation === 'responses.create') return 'chat'
  if (operation !== 'tasks.create') return null
  return kind === 'video' || kind === 'image' ? kind : 'chat'
}
