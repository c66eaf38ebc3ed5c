import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Returns the display name of an account: built-in ones in the user's language, others as named by the user. */
export function useAccountName() {
  const { t } = useTranslation()
  return (account: { readonly id: string; readonly name: string }): string =>
    account.id === localAccountId ? t('accounts.local') : account.name
}
