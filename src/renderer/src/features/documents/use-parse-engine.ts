import { useTranslation } from '../../i18n/use-translation.ts'
import { useAccounts } from '../accounts/store.ts'
import { parseLocationOf } from './parse-engine.ts'

/** Says of an account by what it parses, and whether the pages leave this computer; nothing for one that is gone. */
export function useParseEngine(): (accountId: string) => string {
  const accounts = useAccounts()
  const { t, gap } = useTranslation()
  return (accountId) => {
    const account = accounts.byId(accountId)
    if (!account) return ''
    const parseLocation = parseLocationOf(account)
    if (parseLocation.at === 'here') return t('documentParse.here')
    const destination = t(`documentParse.${parseLocation.at}`, { host: parseLocation.host })
    return account.key.present ? destination : [destination, t('documentParse.keyless')].join(gap.value)
  }
}
