import type { AccountView } from '../../../../shared/bridge/accounts.ts'

/** Where the pages of a document go to be parsed: nowhere, to a program beside this one, or away. */
export type ParseLocation =
  | { readonly at: 'here' }
  | {
      readonly at: 'beside' | 'away'
      /** With its port, where it is not the usual one. */
      readonly host: string
    }

const localHostPattern = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/

/** Who parses for an account, and whether the pages leave this computer. */
export function parseLocationOf({ preset, profile }: Pick<AccountView, 'preset' | 'profile'>): ParseLocation {
  if (preset === 'local') return { at: 'here' }
  const { host, hostname } = new URL(profile.baseUrl)
  return { at: localHostPattern.test(hostname) ? 'beside' : 'away', host }
}
