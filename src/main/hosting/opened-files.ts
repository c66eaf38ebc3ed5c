import { createReadStream, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Reply } from '../../shared/bridge/reply.ts'
import { intakeNameHeader, intakePath, type IntakeReply } from '../../shared/bridge/transport.ts'
import type { Ids, Log } from '../deps.ts'
import type { App, PageConnection } from '../host.ts'

/** Kinds of files that Lectern can be asked to open. */
const openable = new Set(['.wav', '.mp3'])

/** The files named on a command line: no switches, the right kind, existing. Names are read against that launch's folder. */
export function filesOf(args: readonly string[], folder: string): readonly string[] {
  return args
    .filter((arg) => !arg.startsWith('-') && openable.has(extname(arg).toLowerCase()))
    .map((arg) => resolve(folder, arg))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

/** What opening files needs. */
interface OpeningDeps {
  readonly app: App
  readonly connection: PageConnection
  readonly ids: Ids
  readonly origin: string
  readonly log: Log
}

/**
 * Takes files in by the same way as dropped ones, and starts their transcription. Returns the names of those that could
 * not be taken, for the host to say; why is in the log. Never rejects.
 */
export async function openFiles(
  paths: readonly string[],
  deps: OpeningDeps,
): Promise<readonly string[]> {
  const refused: string[] = []
  for (const path of paths) {
    const code = await openFile(path, deps).catch((error: unknown) => {
      deps.log.error('opened file', { error })
      return 'INTERNAL'
    })
    if (code === null) continue
    deps.log.warn('opened file was not taken', { code })
    refused.push(basename(path))
  }
  return refused
}

/** The code of the failure; null when the file was taken and its transcription started. */
async function openFile(path: string, deps: OpeningDeps): Promise<string | null> {
  const response = await deps.app.fetch(
    new Request(deps.origin + intakePath, {
      method: 'PUT',
      headers: { [intakeNameHeader]: encodeURIComponent(basename(path).toWellFormed()) },
      body: Readable.toWeb(createReadStream(path)) as ReadableStream,
      duplex: 'half',
    }),
  )
  const reply = (await response.json()) as Reply<IntakeReply>
  if (!reply.ok) return reply.error.code
  const started = await deps.app.request(deps.connection, 'transcriptions.start', {
    mediaId: reply.data.media.id,
    title: basename(path, extname(path)).slice(0, 300),
    streamId: deps.ids(),
  })
  return started.ok ? null : started.error.code
}
