import { useTranslation } from '../../../i18n/use-translation.ts'
import { useAccounts, useAccountName } from '../../settings/index.ts'

/** Returns a function that names the account that transcribed a line, under its current name. */
export function useEngineLabels() {
  const accounts = useAccounts()
  const accountName = useAccountName()
  const { t } = useTranslation()
  return (line: { readonly accountName: string }): string => {
    const known = accounts.accounts.find(({ name }) => name === line.accountName)
    const account = known ? accountName(known) : line.accountName
    return t('transcript.transcribedBy', { account })
  }
}
