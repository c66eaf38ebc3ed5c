import type { ServiceTarget } from '../main/provider-client/types.ts'
import { AppError } from '../main/errors.ts'
import type { Redactor } from '../main/platform/security/redact.ts'
import { limitsWith } from '../shared/provider/limits.ts'
import { checkBaseUrl, presets } from '../shared/provider/profiles.ts'
import type { Place } from './arguments.ts'
import { type SecretSources, secretFromInput } from './secret.ts'
import type { Reached } from './this-computer.ts'

/** Prepares the target of the request. Each option is loaded on demand: most requests need only one. */
export async function reach(
  place: Place,
  keys: SecretSources,
  redactor: Redactor,
): Promise<Reached> {
  if (place.type === 'this-computer') {
    const { startThisComputer } = await import('./this-computer.ts')
    return startThisComputer(place.home, keys.env)
  }
  if (place.type === 'account') {
    const { reachAccount } = await import('./account.ts')
    return reachAccount(place.name, keys.env, redactor)
  }
  const profile = presets[place.preset]
  const base = checkBaseUrl(place.baseUrl ?? profile.baseUrl)
  if (!base.ok)
    throw new AppError('BASE_URL_REFUSED', `The base URL isn’t allowed: ${base.reason}`, {
      params: { reason: base.reason },
    })
  const key = await readKey(keys, new URL(base.url).host)
  redactor.register(key)
  const target: ServiceTarget = {
    accountId: 'command-line',
    accountName: 'Command line',
    baseUrl: base.url,
    key,
    profile: { ...profile, baseUrl: base.url },
    limits: limitsWith(profile.limits),
  }
  return { target, endsWithCall: false, network: null, close: async () => undefined }
}

/**
 * Returns the key of a remote provider: LECTERN_KEY of the environment, otherwise the first line of standard input, read without
 * echo from a terminal. Throws NO_KEY, or CANCELLED if the prompt was answered with Ctrl-C.
 */
async function readKey(sources: SecretSources, host: string): Promise<string> {
  const fromEnvironment = sources.env['LECTERN_KEY']?.trim()
  if (fromEnvironment) return fromEnvironment
  if (sources.stdinTaken)
    throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and standard input contains the JSON')
  const key = (await secretFromInput(sources, `API key for ${host} (hidden): `)).trim()
  if (key === '') throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and no API key was entered')
  return key
}
