import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { removal, writeFileWhole } from '../system/file-moves.ts'
import type { Log } from './deps.ts'
import type { Keys } from './platform/secrets/keys.ts'

const markSchema = z.object({
  version: z.literal(1),
  accounts: z.array(z.string()).readonly(),
  left: z.enum(['everything', 'keys']),
})

/**
 * What an unfinished erasure still has to delete: everything, or only the API keys of these accounts, which the keychain
 * did not delete.
 */
type ErasingMark = z.infer<typeof markSchema>

const markFile = (home: string): string => join(home, 'erasing.json')

/**
 * Records before the first deletion that everything is to be erased: a start that finds the mark finishes the erasure.
 * It contains the accounts of the API keys, since their rows are deleted as well.
 */
export const markErasing = (
  home: string,
  accounts: readonly string[],
  left: ErasingMark['left'] = 'everything',
): void =>
  writeFileWhole(
    markFile(home),
    `${JSON.stringify({ version: 1, accounts, left } satisfies ErasingMark)}\n`,
  )

/** Removes the mark after everything has been deleted. */
export const endErasing = (home: string): Promise<void> => rm(markFile(home), removal)

/**
 * Returns the mark; null when nothing is being erased. A mark that cannot be read still means that everything was to be
 * erased.
 */
function erasingMark(home: string): ErasingMark | null {
  if (!existsSync(markFile(home))) return null
  try {
    return markSchema.parse(JSON.parse(readFileSync(markFile(home), 'utf8')))
  } catch {
    return { version: 1, accounts: [], left: 'everything' }
  }
}

/**
 * Files of the host in the data folder that are not user data: its lock, Electron's own folder, the URL for the browser,
 * and the window positions. The mark is deleted last, and the record of API keys with the last key.
 */
const hostFiles =
  /^(instance\..*|engine|open-.*\.html|window.*\.json|erasing\.json|keychain\.json)$/

/** Deletes everything in the data folder except {@link hostFiles} and what `keep` matches. */
export async function emptyFolder(home: string, keep: RegExp = /^$/): Promise<void> {
  for (const name of await readdir(home))
    if (!hostFiles.test(name) && !keep.test(name)) await rm(join(home, name), removal)
}

/**
 * Deletes as many API keys of these accounts as possible; returns the accounts whose key the keychain did not delete.
 */
export async function eraseKeys(
  accounts: readonly string[],
  keys: Pick<Keys, 'clear'>,
): Promise<{ readonly refused: readonly string[]; readonly reason: unknown }> {
  const outcomes = await Promise.allSettled(accounts.map((id) => keys.clear(id)))
  return {
    refused: accounts.filter((_, at) => outcomes[at]?.status === 'rejected'),
    reason: outcomes.find((outcome) => outcome.status === 'rejected')?.reason,
  }
}

/**
 * Finishes an erasure that a crash, a power failure or a locked keychain interrupted; before the database is opened.
 * Returns what it finished, or null when there was nothing to do.
 */
export async function finishErasing(
  home: string,
  keys: Pick<Keys, 'clear' | 'accounts'>,
  log: Log,
): Promise<ErasingMark['left'] | null> {
  const mark = erasingMark(home)
  if (!mark) return null
  log.warn('finishing an interrupted erase', { left: mark.left })
  const isWhole = mark.left === 'everything'
  const accounts = isWhole ? [...new Set([...mark.accounts, ...keys.accounts()])] : mark.accounts
  const { refused } = await eraseKeys(accounts, keys)
  if (isWhole) await emptyFolder(home)
  if (refused.length > 0) markErasing(home, refused, 'keys')
  else await endErasing(home)
  return mark.left
}
