import { localAccountId } from '../../../../shared/service/profiles.ts'
import { useTranslation } from '../../i18n/use-translation.ts'

/** The name an account is shown under: the built-in one is named in the reader's language, the others as their user named them. */
export function useAccountName() {
  const { t } = useTranslation()
  return (account: { readonly id: string; readonly name: string }): string =>
    account.id === localAccountId ? t('accounts.local') : account.name
}
