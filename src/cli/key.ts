import { AppError } from '../main/errors.ts'
import { secretFromInput, type SecretSources } from './secret.ts'

/**
 * Returns the key of a remote provider: LECTERN_KEY of the environment, otherwise the first line of standard input, read without
 * echo from a terminal. Throws NO_KEY, or CANCELLED if the prompt was answered with Ctrl-C.
 */
export async function readKey(sources: SecretSources, host: string): Promise<string> {
  const fromEnvironment = sources.env['LECTERN_KEY']?.trim()
  if (fromEnvironment) return fromEnvironment
  if (sources.stdinTaken)
    throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and standard input contains the JSON')
  const key = (await secretFromInput(sources, `API key for ${host} (hidden): `)).trim()
  if (key === '') throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and no API key was entered')
  return key
}
