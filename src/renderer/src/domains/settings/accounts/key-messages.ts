import type { KeyStatus } from '../../../../../shared/contract/accounts.ts'

/** Returns the message keys for where a key is stored, and why it is not stored more securely. */
export function keyMessages(
  key: KeyStatus,
): readonly { readonly key: string; readonly warn: boolean }[] {
  const why = key.trouble
    ? [{ key: `accounts.why${key.trouble[0]?.toUpperCase()}${key.trouble.slice(1)}`, warn: true }]
    : []
  if (key.backend === 'built-in') return [{ key: 'accounts.keyBuiltIn', warn: false }]
  // The last characters of a short key would reveal too much of it.
  const form = key.last4 === null ? 'Short' : ''
  if (key.backend === 'session' && key.present)
    return [{ key: `accounts.keySession${form}`, warn: true }, ...why]
  if (key.present) return [{ key: `accounts.keyPresent${form}`, warn: false }, ...why]
  if (key.trouble === 'otherOrigin') return why
  const ahead = key.trouble === null ? [] : [...why, { key: 'accounts.sessionAhead', warn: true }]
  return [{ key: 'accounts.keyNone', warn: false }, ...ahead]
}

/** Returns the message keys for where a key to be entered will be stored, based only on known accounts. */
export function keyPromise(
  known: readonly KeyStatus[],
): readonly { readonly key: string; readonly warn: boolean }[] {
  const own = known.filter(({ backend }) => backend !== 'built-in')
  const troubled = own.find(({ trouble }) => trouble !== null && trouble !== 'otherOrigin')
  if (troubled) return keyMessages({ ...troubled, present: false, backend: 'none' }).slice(1)
  return [{ key: own.length > 0 ? 'welcome.keyWhere' : 'welcome.keyEither', warn: false }]
}
