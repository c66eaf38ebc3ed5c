import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { createPageSet } from '../../../../../../src/main/platform/bridge/events.ts'
import { createStreamHub } from '../../../../../../src/main/platform/bridge/streams.ts'
import {
  createMediaFiles,
  type MediaFiles,
} from '../../../../../../src/main/platform/files/files.ts'
import {
  createRuns,
  type Runs,
} from '../../../../../../src/main/domains/playground/service/runs/runs.ts'
import type { Accounts } from '../../../../../../src/main/domains/settings/service/accounts/accounts.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import type { Run, RunSummary } from '../../../../../../src/shared/model/run.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import type { ScriptedServer } from '../../../../../fixtures/scripted-server.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { unsavedReplies } from '../../../../platform/database/full-store.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'

/** Runs over a real store, real files and a real client, parts of which tests can make fail. */
export interface RunsSetup {
  readonly home: string
  readonly server: ScriptedServer
  readonly store: Store
  readonly files: MediaFiles
  readonly runs: Runs
  readonly log: ReturnType<typeof memoryLog>
  /** IDs of removed runs reported to pages. */
  readonly removed: string[]
  start(operation: string, input: Readonly<Record<string, unknown>>): Promise<RunSummary>
  /** Returns the run once it has ended. */
  over(run: RunSummary): Promise<Run>
  /** Output folder of a run. */
  folder(id: string): string
  /** Creates runs over the same store, as at another start of Lectern. */
  again(): Runs
  mediaBytes(id: string): number | undefined
  exists(path: string): boolean
}

/** Creates the setup for one test; `files` and `store` replace parts of the real ones. */
export async function runsSetup(
  wrap: {
    readonly files?: (real: MediaFiles) => Partial<MediaFiles>
    readonly store?: (real: Store) => Store
  } = {},
): Promise<RunsSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const real = await openStore(storeOptions(home))
  const store = wrap.store?.(real) ?? real
  const mediaFiles = createMediaFiles({ home, clock: Date.now, store: real })
  const files = { ...mediaFiles, ...wrap.files?.(mediaFiles) }
  const accounts = { target: async () => target() } as unknown as Accounts
  const removed: string[] = []
  let serial = 0
  const build = (): Runs =>
    createRuns({
      home,
      store,
      files,
      api,
      accounts,
      hub: createStreamHub(createPageSet()),
      clock: Date.now,
      ids: () => `run-${String((serial += 1)).padStart(6, '0')}`,
      log,
      keep: unsavedReplies().keep,
      mask: (text) => text,
      openEnd: () => 0,
      activeAccountId: () => localAccountId,
      countPages: async () => null,
      onRun: () => undefined,
      emit(event) {
        if (event.type === 'runs.removed') removed.push(...event.ids)
      },
    })
  const runs = build()
  onTestFinished(async () => {
    await runs.shutdown()
    await real.close()
    remove()
  })
  return {
    home,
    server,
    store: real,
    files,
    runs,
    log,
    removed,
    start: (operation, input) =>
      runs.start(
        { operation, input },
        { connectionId: 'page', streamId: `stream-${String((serial += 1))}` },
      ),
    over: ({ id }) =>
      eventually(() => {
        const run = runs.get(id)
        if (run.state === 'running') throw new Error('it runs')
        return run
      }),
    folder: (id) => join(home, 'runs', id),
    again: build,
    mediaBytes: (id) => real.media.get(id)?.bytes,
    exists: existsSync,
  }
}
