import type { Stats } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf, RouteName } from '../../shared/contract/routes.ts'
import { intakeNameHeader, intakePath, type IntakeReply } from '../../shared/contract/transport.ts'
import type { Reply } from '../../shared/contract/reply.ts'
import type { Media } from '../../shared/model/library.ts'
import { AppError } from '../errors.ts'
import { removal } from '../../system/file-moves.ts'
import type { App, HostDeps } from '../host.ts'
import { createMemoryKeychain } from '../platform/secrets/memory.ts'

/** Name prefix of the folders that killed self-tests leave behind. */
export const scratchPrefix = 'lectern-self-test-'
/** Age in milliseconds after which such a folder is considered abandoned. */
const strayMs = 3_600_000

/** A complete app with its own library, which is deleted at the end: no check affects the user's library. */
export interface Scratch {
  readonly home: string
  /** Calls a route; throws the failure of the reply as an AppError. */
  call<N extends RouteName>(route: N, payload: RequestOf<N>): Promise<ReplyOf<N>>
  fetch(request: Request): Promise<Response>
  /** Imports a file on disk like one that was opened or dropped; throws the failure of the reply as an AppError. */
  take(path: string): Promise<Media>
  intake(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Media>
  /** Polls every tenth of a second until there is a result; throws when the signal is aborted. */
  until<T>(ask: () => Promise<T | null>, signal: AbortSignal): Promise<T>
  /** Stops the app and deletes its folder. */
  close(): Promise<void>
}

const origin = 'http://127.0.0.1'

/** Builds a temporary app from the host's dependencies: an in-memory keychain, no network, no windows, no dialogs. */
export async function openScratch(
  deps: HostDeps,
  createApp: (deps: HostDeps) => Promise<App>,
): Promise<Scratch> {
  await removeStrays(tmpdir())
  const home = await mkdtemp(join(tmpdir(), scratchPrefix))
  const remove = (): Promise<void> => rm(home, { ...removal, retryDelay: 200 })
  const app = await createApp({
    host: 'loopback',
    home,
    version: deps.version,
    platform: deps.platform,
    rendererDir: deps.rendererDir,
    modelsDir: deps.modelsDir,
    mediaBase: '/media/',
    keychain: createMemoryKeychain(),
    redactor: deps.redactor,
    // Its info and warning messages are of no use in the log of the real library.
    log: { info() {}, warn() {}, error: (message, fields) => deps.log.warn(message, fields) },
    workerUrl: deps.workerUrl,
    openProcess: deps.openProcess,
    proxyFor: async () => null,
    openExternal: async () => false,
    clock: deps.clock,
    ids: deps.ids,
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const connection = { id: deps.ids(), push: () => {} }
  app.connect(connection)
  const call: Scratch['call'] = async (route, payload) =>
    valueOf((await app.request(connection, route, payload)) as Reply<ReplyOf<typeof route>>)
  return {
    home,
    call,
    fetch: (request) => app.fetch(request, connection),
    async take(path) {
      const { media } = valueOf(await app.takeFile(path))
      if (!media) throw new Error('The file was mistaken for an archive')
      return media
    },
    async intake(name, bytes) {
      const headers = { [intakeNameHeader]: encodeURIComponent(name) }
      const answer = await app.fetch(
        new Request(origin + intakePath, { method: 'PUT', headers, body: bytes }),
      )
      return valueOf((await answer.json()) as Reply<IntakeReply>).media
    },
    async until(ask, signal) {
      for (;;) {
        const found = await ask()
        if (found !== null) return found
        await sleep(100, undefined, { signal })
      }
    },
    async close() {
      await app.stop()
      await remove()
    },
  }
}

/** Creates a request to the temporary app like one of a page. */
export const scratchRequest = (path: string, init?: RequestInit): Request =>
  new Request(origin + path, init)

function valueOf<T>(reply: Reply<T>): T {
  if (reply.ok) return reply.data
  throw failureError(reply.error)
}

const failureError = ({ code, message, retriable }: Failure): AppError =>
  new AppError(code, message, { retriable })

/**
 * Removes the folders that killed self-tests left in the temporary folder. That folder may be shared, so only folders
 * that a self-test of this user (`uid`) can have created are removed: real folders, owned by the user, closed to others,
 * older than an hour.
 */
export async function removeStrays(
  temporary: string,
  uid: number | undefined = process.getuid?.(),
): Promise<void> {
  const names = await readdir(temporary).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(scratchPrefix))) {
    const path = join(temporary, name)
    const found = await lstat(path).catch(() => null)
    if (found && isStray(found, uid)) await rm(path, removal).catch(() => {})
  }
}

function isStray(found: Stats, uid: number | undefined): boolean {
  // Windows has no user IDs, and provides a separate temporary folder for each user.
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o777) === 0o700)
  return found.isDirectory() && isOwn && Date.now() - found.mtimeMs > strayMs
}
