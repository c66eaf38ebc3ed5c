import { offeredModels, type ModelUse } from '../../../../shared/service/model-names.ts'
import { useAccounts } from '../accounts/store.ts'

/** The model ids that the active account is known to have for a use, as its host spells them; none before accounts are read. */
export function useModelIds(): (use: ModelUse) => readonly string[] {
  const accounts = useAccounts()
  if (!accounts.loaded) void accounts.load()
  return (use) => (accounts.active ? offeredModels(use, accounts.active) : [])
}

/** What the model of an operation's form is for; null where the operation asks for no model by name, or has its own choices. */
export function modelUseOf(operation: string, kind: unknown): ModelUse | null {
  if (operation === 'responses.create') return 'chat'
  if (operation !== 'tasks.create') return null
  return kind === 'video' || kind === 'image' ? kind : 'chat'
}
