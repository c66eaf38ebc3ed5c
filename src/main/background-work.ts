import { runWorks, type RunWork } from '../shared/model/run-mark.ts'
import type { Log } from './deps.ts'
import type { Store } from './library-database/store.ts'

/** Work in the background: services implement what concerns them. */
export interface Working {
  /** Resumes the unfinished work of an earlier run. Not awaited. */
  resume?(): Promise<void> | void
  /** An account has a key, or the network is back: resumes the work that waited for it. */
  accountReady?(accountId: string): void
  /** Stops the work on items that are about to be deleted. */
  forget?(itemIds: readonly string[]): Promise<void>
  /** Reports that items were restored from Trash. */
  restored?(itemIds: readonly string[]): void
  busy?(): boolean
  /** Stops all work, before everything is erased. */
  stopAll?(): Promise<void>
  /** Deletes files outside of the media, before all rows are deleted. */
  erase?(): Promise<void>
  /** Ends the work; resolves when received data is written. */
  shutdown?(): Promise<void> | void
  /** Ends worker programs and connections, after all work was shut down. */
  close?(): Promise<void>
}

/** Work of a domain, by the name with which the next start reports that it was interrupted. */
export type Works = Partial<Record<Exclude<RunWork, 'recording'>, readonly Working[]>>

/** All background work as one. */
export interface BackgroundWork extends Required<Working> {
  resume(): void
  shutdown(): Promise<void>
  /** Names of the running work. */
  underWay(): readonly RunWork[]
}

/** Combines the work of all domains, which is in the order in which they are built on each other. */
export function combineWork(
  domains: () => readonly Works[],
  { store, log }: { readonly store: Pick<Store, 'writable'>; readonly log: Log },
): BackgroundWork {
  const all = (): readonly Working[] => domains().flatMap((works) => Object.values(works).flat())
  const underWay = (): readonly RunWork[] =>
    runWorks.filter(
      (name) =>
        name !== 'recording' &&
        domains().some((works) => works[name]?.some((each) => each.busy?.())),
    )
  /** Calls a method of each; one that fails, for example on a full disk or a damaged table, doesn't stop the others. */
  const callEach = (what: string, call: (each: Working) => Promise<void> | void): void => {
    for (const each of all())
      void (async () => call(each))().catch((error: unknown) =>
        log.error(`background work failed to ${what}`, { error }),
      )
  }
  return {
    resume() {
      if (store.writable) callEach('resume', (each) => each.resume?.())
    },
    accountReady: (accountId) =>
      callEach('continue with an account', (each) => each.accountReady?.(accountId)),
    async forget(itemIds) {
      for (const each of all()) await each.forget?.(itemIds)
    },
    restored: (itemIds) =>
      callEach('continue with restored items', (each) => each.restored?.(itemIds)),
    busy: () => underWay().length > 0,
    underWay,
    async stopAll() {
      await Promise.all(all().map(async (each) => each.stopAll?.()))
    },
    async erase() {
      for (const each of all()) await each.erase?.()
    },
    async shutdown() {
      // What is built on other work ends first, so that it doesn't take the end of that for a result.
      await Promise.all(
        all()
          .toReversed()
          .map(async (each) => each.shutdown?.()),
      )
    },
    async close() {
      await Promise.all(all().map(async (each) => each.close?.()))
    },
  }
}
