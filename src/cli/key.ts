import { AppError } from '../main/errors.ts'
import { secretFromInput, type SecretSources } from './secret.ts'

/**
 * The key for a service elsewhere: the environment's LECTERN_KEY, else the first line of standard input, asked for without echo
 * when that is a terminal. Throws NO_KEY; CANCELLED when the question was answered with Ctrl-C.
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
