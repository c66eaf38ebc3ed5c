import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { removal, writeFileWhole } from '../system/file-moves.ts'
import type { Log } from './deps.ts'
import type { Keys } from './secrets/keys.ts'

const markSchema = z.object({
  version: z.literal(1),
  accounts: z.array(z.string()).readonly(),
  left: z.enum(['everything', 'keys']),
})

/** What an erase that was begun still has to delete: everything, or only the keys of these accounts, which the keychain refused. */
export type ErasingMark = z.infer<typeof markSchema>

const markFile = (home: string): string => join(home, 'erasing.json')

/**
 * Writes down, before the first thing is deleted, that everything is to go: a start that finds it finishes what was begun. The keys' accounts
 * are in it, since their rows go as well.
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

/** Everything that was to go is gone. */
export const endErasing = (home: string): Promise<void> => rm(markFile(home), removal)

/** Null where nothing is being erased. A mark that cannot be read still says that everything was to go. */
export function erasingMark(home: string): ErasingMark | null {
  if (!existsSync(markFile(home))) return null
  try {
    return markSchema.parse(JSON.parse(readFileSync(markFile(home), 'utf8')))
  } catch {
    return { version: 1, accounts: [], left: 'everything' }
  }
}

/**
 * What the host holds open in the data folder, which is not the user's: its lock, its engine's own folder, the address for the browser; and
 * where its windows stood. The mark goes last, and the record of keys with the last key.
 */
const hostFiles =
  /^(instance\..*|engine|open-.*\.html|window.*\.json|erasing\.json|keychain\.json)$/

/** Deletes whatever lies in the data folder but {@link hostFiles} and what `keep` names. */
export async function emptyFolder(home: string, keep: RegExp = /^$/): Promise<void> {
  for (const name of await readdir(home))
    if (!hostFiles.test(name) && !keep.test(name)) await rm(join(home, name), removal)
}

/** Deletes the keys of these accounts, all that can be; the accounts whose key the keychain would not give up. */
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
 * Finishes an erase that a crash, a power cut or a locked keychain broke off; before the database is opened. Gives what it finished, or null
 * where there was nothing to finish.
 */
export async function finishErasing(
  home: string,
  keys: Pick<Keys, 'clear' | 'accounts'>,
  log: Log,
): Promise<ErasingMark['left'] | null> {
  const mark = erasingMark(home)
  if (!mark) return null
  log.warn('finishes an erase that was begun', { left: mark.left })
  const isWhole = mark.left === 'everything'
  const accounts = isWhole ? [...new Set([...mark.accounts, ...keys.accounts()])] : mark.accounts
  const { refused } = await eraseKeys(accounts, keys)
  if (isWhole) await emptyFolder(home)
  if (refused.length > 0) markErasing(home, refused, 'keys')
  else await endErasing(home)
  return mark.left
}
