import { createReadStream, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Reply } from '../../shared/bridge/reply.ts'
import { intakeNameHeader, intakePath, type IntakeReply } from '../../shared/bridge/transport.ts'
import type { Ids } from '../deps.ts'
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

/** Takes files in by the same way as dropped ones, and starts their transcription. Returns how many were taken. */
export async function openFiles(
  paths: readonly string[],
  deps: {
    readonly app: App
    readonly connection: PageConnection
    readonly ids: Ids
    readonly origin: string
  },
): Promise<number> {
  let taken = 0
  for (const path of paths) {
    const response = await deps.app.fetch(
      new Request(deps.origin + intakePath, {
        method: 'PUT',
        headers: { [intakeNameHeader]: encodeURIComponent(basename(path)) },
        body: Readable.toWeb(createReadStream(path)) as ReadableStream,
        duplex: 'half',
      }),
    )
    const reply = (await response.json()) as Reply<IntakeReply>
    if (!reply.ok) continue
    const started = await deps.app.request(deps.connection, 'transcriptions.start', {
      mediaId: reply.data.media.id,
      title: basename(path, extname(path)).slice(0, 300),
      streamId: deps.ids(),
    })
    if (started.ok) taken++
  }
  return taken
}
