import { useWords } from '../../i18n/use-words.ts'
import { useAccounts } from '../accounts/store.ts'
import { useAccountName } from '../accounts/use-account-name.ts'

/** Which engine heard a line, in the reader's words: the account as it is named now, and its model. */
export function useEngineWords() {
  const accounts = useAccounts()
  const accountName = useAccountName()
  const { t, engine } = useWords()
  return (line: { readonly accountName: string; readonly model: string }): string => {
    const known = accounts.accounts.find(({ name }) => name === line.accountName)
    const account = known ? accountName(known) : line.accountName
    if (line.model === '') return t('transcript.heardByAccount', { account })
    return t('transcript.heardBy', { account, model: engine(line.model) })
  }
}
