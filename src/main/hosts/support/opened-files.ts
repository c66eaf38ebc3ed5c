import { basename, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AppEvent } from '../../../shared/contract/events.ts'
import type { ErrorCode, Reply } from '../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf, RouteName } from '../../../shared/contract/routes.ts'
import { importable } from '../../../shared/importable.ts'
import { linkScheme } from '../../../shared/links.ts'
import type { Log } from '../../deps.ts'
import type { App, PageConnection } from '../../host.ts'

/** File extensions that Lectern can open: documents, audio and library archives. */
const openable: ReadonlySet<string> = new Set(
  [...importable.document, ...importable.audio, 'zip'].map((name) => `.${name}`),
)

/** Returns the link on a command line, unchanged; null if there is none. A browser or another program passes it. */
export function linkIn(args: readonly string[]): string | null {
  return args.find((arg) => arg.toLowerCase().startsWith(`${linkScheme}:`)) ?? null
}

/**
 * Returns the files of known types on a command line, as a path or, as Linux desktops pass them, as a `file:` URL. Relative
 * paths are resolved against that launch's folder. They may not exist: {@link openFiles} reports those.
 */
export function filesOf(args: readonly string[], folder: string): readonly string[] {
  return args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => pathOf(arg, folder))
    .filter((path) => path !== null)
    .filter((path) => openable.has(extname(path).toLowerCase()))
}

/** Returns the absolute path of an argument; null for a URL that is not a file on this computer. */
function pathOf(arg: string, folder: string): string | null {
  // A scheme has at least two letters, a drive has one.
  if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(arg)) return null
  if (!/^file:/i.test(arg)) return resolve(folder, arg)
  try {
    const url = new URL(arg)
    // A file of another computer: Windows would request it there, under the user's name.
    if (url.host !== '') return null
    const path = fileURLToPath(url)
    return path.includes('\0') ? null : path
  } catch {
    return null
  }
}

interface OpeningDeps {
  readonly app: App
  readonly connection: PageConnection
  readonly log: Log
  /** Called after a file was imported; the event opens the resulting item. */
  readonly onTaken?: (shows: AppEvent) => void
  /** Called after a file was imported from this path. */
  readonly onImported?: (path: string) => void
}

/** A file that could not be imported. */
export interface RefusedFile {
  readonly name: string
  readonly code: ErrorCode
}

/**
 * Imports files like dropped ones and creates the same items from them. Returns those that could not be imported, for the
 * host to report. Never rejects.
 */
export async function openFiles(
  paths: readonly string[],
  deps: OpeningDeps,
): Promise<readonly RefusedFile[]> {
  const refused: RefusedFile[] = []
  for (const path of paths) {
    const code = await openFile(path, deps).catch((error: unknown) => {
      deps.log.error('failed to open a file', { error })
      return 'INTERNAL' as const
    })
    if (code === null) {
      deps.onImported?.(path)
      continue
    }
    deps.log.warn('opened file was not imported', { code })
    refused.push({ name: basename(path), code })
  }
  return refused
}

/** Returns the error code; null if the file was imported and its transcription started. */
async function openFile(path: string, deps: OpeningDeps): Promise<ErrorCode | null> {
  const reply = await deps.app.takeFile(path)
  if (!reply.ok) return reply.error.code
  if (reply.data.media === null) {
    deps.onTaken?.({ type: 'page.archive' })
    return null
  }
  const started = await become(reply.data.media.id, path, deps)
  if (!started.ok) return started.error.code
  if (started.data) deps.onTaken?.(started.data)
  return null
}

/** Creates the same item as for a dropped file: a document, a chat or a meeting. */
async function become(
  mediaId: string,
  path: string,
  { app, connection }: OpeningDeps,
): Promise<Reply<AppEvent | null>> {
  const ask = <N extends RouteName>(route: N, payload: RequestOf<N>): Promise<Reply<ReplyOf<N>>> =>
    app.request(connection, route, payload) as Promise<Reply<ReplyOf<N>>>
  const taken = (data: AppEvent | null): Reply<AppEvent | null> => ({ ok: true, data })
  const title = basename(path, extname(path)).slice(0, 300)
  const fits = await ask('library.kindOf', { mediaId })
  if (!fits.ok) return fits
  if (fits.data.kind === 'conversation') {
    const reply = await ask('chats.import', { mediaId })
    if (!reply.ok) return reply
    const [first] = reply.data.conversations
    return taken(first ? { type: 'page.open', conversationId: first.id } : null)
  }
  if (fits.data.kind === 'document') {
    const reply = await ask('documents.create', { mediaId, title })
    if (!reply.ok) return reply
    const link = { kind: 'document', id: reply.data.document.id, place: null } as const
    return taken({ type: 'page.link', link })
  }
  const reply = await ask('meetings.import', { mediaId, title })
  return reply.ok ? taken({ type: 'page.recording', id: reply.data.meeting.id }) : reply
}
