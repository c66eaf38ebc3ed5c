import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { AppError } from '../main/errors.ts'
import { dataFolder } from '../main/hosts/support/home.ts'
import { proxyFromEnvironment } from '../main/hosts/support/proxy.ts'
import { createKeyring } from '../main/platform/secrets/keyring.ts'
import { createKeys } from '../main/platform/secrets/keys.ts'
import { readStoredKeys } from '../main/platform/secrets/stored-keys.ts'
import type { Redactor } from '../main/platform/security/redact.ts'
import { createNetworkChoices } from '../main/domains/settings/service/network/network.ts'
import { accountStore } from '../main/domains/settings/store/accounts-store.ts'
import { createConnection } from '../main/platform/database/connection.ts'
import { openReadOnly } from '../main/platform/database/open-file.ts'
import { storePaths } from '../main/platform/database/paths.ts'
import { settingsStore } from '../main/domains/settings/store/settings-store.ts'
import { limitsWith } from '../shared/provider/limits.ts'
import { checkBaseUrl } from '../shared/provider/profiles.ts'
import type { Reached } from './this-computer.ts'
import { startThisComputer } from './this-computer.ts'

/**
 * Returns an account of Lectern by its name or ID: profile and network settings from its library, which is only read, the key
 * from the keychain. Throws NOT_FOUND, NO_KEY, KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE.
 */
export async function reachAccount(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): Promise<Reached> {
  const { platform } = process
  const home = dataFolder({ platform, env, userHome: homedir() })
  const { database } = storePaths(home)
  if (!existsSync(database))
    throw new AppError('NOT_FOUND', 'No library found. Set LECTERN_HOME to its folder')
  const connection = createConnection({ damage: () => undefined })
  connection.attach(openReadOnly(database), false)
  const close = (): void => connection.detach(new AppError('CANCELLED', 'Closed'))
  try {
    const wanted = name.trim().toLowerCase()
    const accounts = accountStore(connection).list()
    const byName = accounts.filter((each) => each.name.toLowerCase() === wanted)
    const byId = accounts.find((each) => each.id === name)
    // An imported archive may contain an account with any name or ID: LECTERN_KEY must not be sent to the wrong one.
    if (new Set([byId, ...byName].filter(Boolean)).size > 1)
      throw new AppError(
        'BAD_REQUEST',
        `Several accounts have this name. Use an ID: ${byName.map(({ id, profile }) => `${id} (${profile.baseUrl})`).join(', ')}`,
      )
    const account = byId ?? byName[0]
    if (!account) {
      const names = accounts.map((each) => each.name).join(', ')
      throw new AppError('NOT_FOUND', `Account not found. Available: ${names}`)
    }
    if (account.preset === 'local') {
      close()
      return await startThisComputer(null, env)
    }
    const base = checkBaseUrl(account.profile.baseUrl)
    if (!base.ok)
      throw new AppError('BASE_URL_REFUSED', `The base URL isn’t allowed: ${base.reason}`)
    const stored = readStoredKeys(home)
    const keys = stored && createKeys({ keychain: createKeyring({ platform }), stored, redactor })
    const key =
      env['LECTERN_KEY']?.trim() || (await keys?.read(account.id, new URL(base.url).origin))
    if (!key) throw new AppError('NO_KEY', `The account ${account.name} has no API key`)
    return {
      target: {
        accountId: account.id,
        accountName: account.name,
        baseUrl: base.url,
        key,
        profile: account.profile,
        limits: limitsWith(account.profile.limits),
      },
      endsWithCall: false,
      network: createNetworkChoices({ settings: settingsStore(connection) }, home, async (url) =>
        proxyFromEnvironment(url, env),
      ),
      close: async () => close(),
    }
  } catch (error) {
    close()
    throw error
  }
}
