import { useWords } from '../../i18n/use-words.ts'
import { useAccounts } from '../accounts/store.ts'
import { readingOf } from './who-reads.ts'

/** Says of an account by what it parses, and whether the pages leave this computer; nothing for one that is gone. */
export function useWhoReads(): (accountId: string) => string {
  const accounts = useAccounts()
  const { t, gap } = useWords()
  return (accountId) => {
    const account = accounts.byId(accountId)
    if (!account) return ''
    const reading = readingOf(account)
    if (reading.at === 'here') return t('documentParse.here', { engine: t('engineNames.pages') })
    const { host, model } = reading
    const goes = t(`documentParse.${reading.at}`, { host, model })
    return account.key.present ? goes : [goes, t('documentParse.keyless')].join(gap.value)
  }
}
