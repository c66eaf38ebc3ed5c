import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { AppError } from '../main/errors.ts'
import { dataFolder } from '../main/host-support/home.ts'
import { proxyFromEnvironment } from '../main/host-support/proxy.ts'
import { createKeyring } from '../main/secrets/keyring.ts'
import { createKeys } from '../main/secrets/keys.ts'
import { readStoredKeys } from '../main/secrets/stored-keys.ts'
import type { Redactor } from '../main/security/redact.ts'
import { createNetworkChoices } from '../main/services/network/network.ts'
import { accountStore } from '../main/store/accounts.ts'
import { createConnection } from '../main/store/connection.ts'
import { openReadOnly } from '../main/store/open-file.ts'
import { storePaths } from '../main/store/paths.ts'
import { settingsStore } from '../main/store/settings.ts'
import { limitsWith } from '../shared/service/limits.ts'
import { checkBaseUrl } from '../shared/service/profiles.ts'
import type { Reached } from './target.ts'
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
