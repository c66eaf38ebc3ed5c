import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileWhole } from '../../../system/file-moves.ts'
import { systemCode } from '../../../system/system-code.ts'

/** Service name of entries from before data folders had IDs, when only the account ID distinguished them. */
export const earlierService = 'Lectern'

const stateSchema = z.object({
  version: z.literal(1),
  folder: z.string().regex(/^[\w-]{8,64}$/),
  stored: z.array(z.string()),
  earlier: z.array(z.object({ account: z.string(), origin: z.string() })),
})
type State = z.infer<typeof stateSchema>

/**
 * An OS keychain entry from before data folders had IDs, and the origin that its account had when the folder got one.
 */
export type EarlierKey = State['earlier'][number]

/**
 * Record of the OS keychain entries of this data folder (`keychain.json`). It contains no key and no part of one. It
 * specifies where to find them, which accounts have a key to clear even if the keychain is unavailable, and that keys of
 * other data folders are not this one's.
 */
export interface StoredKeys {
  /** Service name of this folder's entries. */
  readonly service: string
  /**
   * Called in the first start with such a file: `accounts` are those whose keys the keychain may contain from before. Accounts
   * added later (from an imported archive, a restored backup) are not among them.
   */
  firstStart(accounts: () => readonly EarlierKey[]): void
  /** Returns the accounts that have, or may have, an entry. */
  accounts(): readonly string[]
  /** Called before an entry is created; returns whether it is new. Throws disk errors. */
  add(account: string): boolean
  /** Called after an entry was verified to be deleted. */
  remove(account: string): void
  /** Returns the account's earlier entry if it was not migrated yet. */
  earlier(account: string): EarlierKey | undefined
  forgetEarlier(account: string): void
}

/** Opens `keychain.json` of a data folder; if there is none yet, the folder gets an ID. */
export function openStoredKeys(home: string, newId: () => string): StoredKeys {
  const path = join(home, 'keychain.json')
  const before = readState(path)
  let state: State = before ?? { version: 1, folder: newId(), stored: [], earlier: [] }
  let isWritten = before !== null
  const write = (next: State): void => {
    writeFileWhole(path, `${JSON.stringify(next)}\n`)
    state = next
    isWritten = true
  }
  return {
    service: serviceOf(state),
    firstStart(accounts) {
      if (isWritten) return
      try {
        write({ ...state, earlier: [...accounts()] })
      } catch {
        // A read-only folder has a temporary ID for this run; `add` throws, so that no key is stored under it.
      }
    },
    accounts: () => [...new Set([...state.stored, ...state.earlier.map(({ account }) => account)])],
    add(account) {
      const isNew = !state.stored.includes(account)
      if (isNew || !isWritten) write({ ...state, stored: [...new Set([...state.stored, account])] })
      return isNew
    },
    remove(account) {
      if (state.stored.includes(account))
        write({ ...state, stored: state.stored.filter((each) => each !== account) })
    },
    earlier: (account) => state.earlier.find((each) => each.account === account),
    forgetEarlier(account) {
      if (state.earlier.some((each) => each.account === account))
        write({ ...state, earlier: state.earlier.filter((each) => each.account !== account) })
    },
  }
}

/** Reads the record for a program other than the app. Null if the app was never started. */
export function readStoredKeys(home: string): StoredKeys | null {
  const state = readState(join(home, 'keychain.json'))
  if (!state) return null
  const refuse = (): never => {
    throw new Error('The key record is read-only')
  }
  return {
    service: serviceOf(state),
    accounts: () => state.stored,
    earlier: () => undefined,
    firstStart: refuse,
    add: refuse,
    remove: refuse,
    forgetEarlier: refuse,
  }
}

const serviceOf = ({ folder }: State): string => `Lectern ${folder}`

/**
 * Reads the state; null if the file is missing or damaged. A damaged one keeps the folder's ID if that is readable.
 */
function readState(path: string): State | null {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
    return stateSchema.parse(JSON.parse(text))
  } catch (error) {
    const folder = /"folder":"([\w-]{8,64})"/.exec(text)?.[1]
    if (folder) return { version: 1, folder, stored: [], earlier: [] }
    if (
      error instanceof SyntaxError ||
      error instanceof z.ZodError ||
      systemCode(error) === 'ENOENT'
    )
      return null
    throw error
  }
}
