import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { basename, join } from 'node:path'
import config from '../../../resources/update-feed.json' with { type: 'json' }
import { updateFeedConfig, type UpdateFeedConfig } from '../../shared/contract/update-feed.ts'
import type { UpdateState } from '../../shared/model/updates.ts'
import { createAgents, type AgentDeps } from '../provider-client/agents.ts'
import type { Clock, Log, WorkerUrl } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { HostDeps } from '../host.ts'
import { storePaths } from '../platform/database/paths.ts'
import type { Store } from '../library-database/store.ts'
import { createWorkerClient } from '../platform/workers/client.ts'
import type { DatabaseCheckAnswer, DatabaseCheckRequest } from '../workers/database-check.ts'
import { reasonOf, createMirrorGet } from './transfer.ts'
import { createRecordsBook } from './records.ts'
import { createUpdates, type Updates } from './updates.ts'

/** Timeouts in milliseconds for connecting to a mirror, and for the beginning of its response. */
const connectMs = 10_000
const headersMs = 15_000

let parsed: UpdateFeedConfig | undefined

/** Returns the feed configuration of this build: parsed at first use, since the schema would delay the start. */
export const buildFeed = (): UpdateFeedConfig => (parsed ??= updateFeedConfig().parse(config))

interface AppUpdatesDeps {
  readonly host: Pick<HostDeps, 'home' | 'version' | 'platform' | 'updates'>
  readonly store: Pick<Store, 'backup' | 'writable' | 'settings'>
  /** Network access with the user's settings. */
  readonly network: Pick<AgentDeps, 'proxyFor' | 'extraCa'>
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  after(ms: number, work: () => void): () => void
  onChange(state: UpdateState): void
}

/** Creates updates with the app's own store and network. */
export function createAppUpdates({ host, store, network, ...deps }: AppUpdatesDeps): Updates & {
  close(): Promise<void>
} {
  const agents = createAgents({ ...network, connectTimeoutMs: connectMs })
  const updates = createUpdates({
    ...deps,
    home: host.home,
    version: host.version,
    platform: host.platform,
    arch: process.arch,
    systemVersion: release(),
    feed: buildFeed,
    host: host.updates,
    get: createMirrorGet(agents, headersMs),
    settings: () => store.settings.get(),
    async backup() {
      if (!store.writable) return ''
      const made = await store.backup('before-update')
      if (!made.ok) throw new AppError(made.error.code, made.error.message)
      return basename(made.path)
    },
    isUsableBackup: (name) => isUsableBackup(host.home, name, deps.workerUrl),
  })
  return {
    ...updates,
    async close() {
      updates.stop()
      await agents.close()
    },
  }
}

/** Checks a whole backup in a worker. */
async function isUsableBackup(home: string, name: string, workerUrl: WorkerUrl): Promise<boolean> {
  const path = join(storePaths(home).backups, basename(name))
  if (!existsSync(path)) return false
  const worker = createWorkerClient<DatabaseCheckRequest, DatabaseCheckAnswer>({
    url: workerUrl('database-check'),
    name: 'Backup check',
  })
  try {
    const answer = await worker.call({ task: 'check', path })
    return answer.task === 'check' && answer.trouble === null
  } catch {
    return false
  } finally {
    await worker.close()
  }
}

/**
 * Completes a rollback: if the user returned to this version and it cannot read the library of the newer one, the backup made
 * before the update replaces it. Call it before the store is opened. Errors are logged; the library then opens read-only.
 */
export async function finishRollBack(
  home: string,
  version: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  const book = createRecordsBook(home, Math.random)
  const { rollBack } = book.now
  if (!rollBack) return
  try {
    if (rollBack.version === version) {
      // Loaded only then: it needs the schemas of all rows.
      const { openRollBack } = await import('../library-database/roll-back.ts')
      const isRestored = openRollBack(home, rollBack.backup, clock())
      log.warn('Rolled back to an earlier version', { version, isRestored })
    }
  } catch (error) {
    log.error('The library of the earlier version could not be restored', {
      error: reasonOf(error),
    })
  }
  try {
    // Also if the newer version started again: a backup must not replace the library at a later date.
    book.change({ rollBack: null })
  } catch (error) {
    log.error('The completion of the rollback could not be recorded', { error: reasonOf(error) })
  }
}
