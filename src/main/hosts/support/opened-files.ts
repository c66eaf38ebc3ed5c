import { basename, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AppEvent } from '../../../shared/contract/events.ts'
import type { ErrorCode, Reply } from '../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf } from '../../../shared/contract/routes.ts'
import { importable } from '../../../shared/importable.ts'
import { linkScheme } from '../../../shared/links.ts'
import type { Log } from '../../deps.ts'
import type { App, PageConnection } from '../../host.ts'

/** File extensions that Lectern can open: documents, audio and library archives. */
const openable: ReadonlySet<string> = new Set(
  [...importable.document, ...importable.text, ...importable.audio, 'zip'].map(
    (name) => `.${name}`,
  ),
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
  const request: RequestOf<'library.import'> = {
    mediaId: reply.data.media.id,
    title: basename(path, extname(path)).slice(0, 300),
  }
  const imported = (await deps.app.request(deps.connection, 'library.import', request)) as Reply<
    ReplyOf<'library.import'>
  >
  if (!imported.ok) return imported.error.code
  deps.onTaken?.(showing(imported.data))
  return null
}

/** Returns the event by which the page shows an imported item. */
function showing({ kind, itemId: id }: ReplyOf<'library.import'>): AppEvent {
  if (kind === 'conversation') return { type: 'page.open', conversationId: id }
  if (kind === 'document') return { type: 'page.link', link: { kind, id, place: null } }
  return { type: 'page.recording', id }
}
