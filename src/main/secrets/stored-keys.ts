import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileWhole } from '../../system/file-moves.ts'
import { systemCode } from '../../system/system-code.ts'

/** The service name of entries written before data folders had ids: the account id alone told them apart. */
export const earlierService = 'Lectern'

const stateSchema = z.object({
  version: z.literal(1),
  folder: z.string().regex(/^[\w-]{8,64}$/),
  stored: z.array(z.string()),
  earlier: z.array(z.object({ account: z.string(), origin: z.string() })),
})
type State = z.infer<typeof stateSchema>

/** An entry of the OS keychain from before data folders had ids, and the origin that its account had when the folder got one. */
export type EarlierKey = State['earlier'][number]

/**
 * Which entries of the OS keychain belong to this data folder (`keychain.json`). No key and no part of one is in it. It says where to
 * look, which accounts have a key to clear even when the keychain is away, and that another data folder's keys are not this one's.
 */
export interface StoredKeys {
  /** Service name of this folder's entries. */
  readonly service: string
  /**
   * In the first start with such a file: `accounts` are those whose keys the keychain may hold from before. Later arrivals (an imported
   * archive, a restored backup) are not among them.
   */
  firstStart(accounts: () => readonly EarlierKey[]): void
  /** Accounts that have, or may have, an entry. */
  accounts(): readonly string[]
  /** Written before an entry is made; whether it was not there yet. Throws what the disk throws. */
  add(account: string): boolean
  /** Written after an entry is known to be gone. */
  remove(account: string): void
  /** The account's entry from before, when it was not taken over yet. */
  earlier(account: string): EarlierKey | undefined
  forgetEarlier(account: string): void
}

/** Opens `keychain.json` of a data folder; where there is none yet, the folder gets an id. */
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
        // A folder that cannot be written has one id for this run; `add` throws, so that no key is stored under it.
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

/** The same for a program beside the app, which only reads. Null where the app was never started. */
export function readStoredKeys(home: string): StoredKeys | null {
  const state = readState(join(home, 'keychain.json'))
  if (!state) return null
  const refuse = (): never => {
    throw new Error('Opened for reading')
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

/** Null where there is no such file, or one that is damaged; of that one the folder's id is kept where it can be read. */
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
