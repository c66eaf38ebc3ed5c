import { useTranslation } from '../../i18n/use-translation.ts'
import { useAccounts } from '../settings/index.ts'
import { parseLocationOf } from './parse-engine.ts'

/**
 * Returns a function that describes how an account parses and whether pages leave this computer; '' for a deleted account.
 */
export function useParseEngine(): (accountId: string) => string {
  const accounts = useAccounts()
  const { t, gap } = useTranslation()
  return (accountId) => {
    const account = accounts.byId(accountId)
    if (!account) return ''
    const parseLocation = parseLocationOf(account)
    if (parseLocation.at === 'here') return t('documentParse.here')
    const destination = t(`documentParse.${parseLocation.at}`, { host: parseLocation.host })
    return account.key.present
      ? destination
      : [destination, t('documentParse.keyless')].join(gap.value)
  }
}
