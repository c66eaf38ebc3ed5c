import type { AccountView } from '../../../../shared/contract/accounts.ts'

/** Where the pages of a document are parsed: in Lectern, by another program on this computer, or remotely. */
type ParseLocation =
  | { readonly at: 'here' }
  | {
      readonly at: 'localhost' | 'remote'
      /** Host, with its port unless it is the default one. */
      readonly host: string
    }

const localHostPattern = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/

/** Returns where the account parses, and whether the pages leave this computer. */
export function parseLocationOf({
  preset,
  profile,
}: Pick<AccountView, 'preset' | 'profile'>): ParseLocation {
  if (preset === 'local') return { at: 'here' }
  const { host, hostname } = new URL(profile.baseUrl)
  return { at: localHostPattern.test(hostname) ? 'localhost' : 'remote', host }
}
