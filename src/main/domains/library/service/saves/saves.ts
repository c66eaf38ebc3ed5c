import { constants, createReadStream, createWriteStream } from 'node:fs'
import { access, chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import type { SaveOutcome } from '../../../../../shared/contract/files.ts'
import type { ErrorCode } from '../../../../../shared/contract/reply.ts'
import { AppError } from '../../../../errors.ts'
import { removal } from '../../../../../system/file-moves.ts'
import type { FileHost, FileUse } from '../../../../host.ts'
import { refuse } from '../../../../platform/files/media-response.ts'
import { contentIdPattern } from '../../../../platform/files/content-id.ts'
import { contentDisposition } from '../../../../platform/files/display-name.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import {
  partNumbers,
  sessionFiles,
  sessionFolder,
} from '../../../../platform/audio/session-files.ts'
import { saveName } from './save-name.ts'
import { markFromWeb } from './web-mark.ts'
import { writeCopy } from './write-copy.ts'
import type { Context } from '../../../../context.ts'

/** Dependencies of saving. */
interface SavesDeps extends Pick<Context, 'home' | 'ids' | 'platform'> {
  readonly files: Pick<MediaFiles, 'path' | 'isOwnPage' | 'importedName' | 'isReceived'>
  /** Absent if the browser saves files. */
  readonly fileHost?: FileHost | undefined
  readonly userFileMode?: number | undefined
  /** Handles `/media/<name>` as for pages. */
  media(request: Request): Promise<Response>
}

/** A file by its name below the media address, and the suggested name of its copy. */
interface CopyRequest {
  readonly media: string
  readonly name: string
}

/** Progress and cancellation of a save. */
interface SaveWatch {
  readonly signal: AbortSignal
  /** Called a few times a second if a copy takes long: the name that the user chose, and the written fraction, 0 to 1. */
  onProgress(name: string, fraction: number): void
}

/** Copies of files for the user: saved, shown in their folder, dragged out of the window. */
export interface Saves {
  /** Saves a copy. If stopped by its watch or by {@link close}, it leaves nothing and is `cancelled`. */
  save(request: CopyRequest, connectionId: string, watch?: SaveWatch): Promise<SaveOutcome>
  /** Registers a file that was written where the user chose; the ID is used to show it in its folder. */
  saved(path: string, use: FileUse): string
  reveal(what: { readonly saved: string } | { readonly media: string }): Promise<void>
  drag(
    request: CopyRequest,
    connectionId: string,
  ): Promise<{ readonly state: 'started' | 'preparing' }>
  /** Serves `/media/save-<id>`: the file of a save without dialogs, as a download under its own name. */
  respond(request: Request, name: string): Promise<Response>
  /** Stops saves, and removes the copies made for drags. */
  close(): Promise<void>
}

/** Maximum number of remembered saves, downloads and dragged copies; older ones are dropped. */
const maxRemembered = 50
/** Milliseconds before a save reports progress, and between two reports. */
const reportAfterMs = 500
const reportEveryMs = 250
/** Bytes of a file that are copied at a time. */
const chunkBytes = 1024 * 1024

/** Maximum time a drag waits for its copy, in milliseconds: the pointer is down, and a drag that starts late fails. */
const dragWaitMs = 400

/** Creates saves; copies left by drags of an earlier run are removed. */
export function createSaves(deps: SavesDeps): Saves {
  const { home, ids, fileHost } = deps
  const mode = deps.userFileMode ?? 0o600
  const dragged = join(home, 'drag-out')
  const savedPaths = new Map<string, string>()
  const downloads = new Map<string, CopyRequest>()
  const copies = new Map<string, Promise<string>>()
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const clean = (): Promise<void> => rm(dragged, removal).catch(() => {})
  const swept = clean()

  async function ask(media: string, method: 'GET' | 'HEAD'): Promise<Response> {
    const response = await deps.media(new Request(`http://lectern/media/${media}`, { method }))
    if (response.ok) return response
    // The body of a HEAD is empty; both errors mean that the file is unavailable.
    const code: ErrorCode = contentIdPattern.test(media) ? 'FILE_MISSING' : 'NOT_FOUND'
    throw new AppError(code, 'The file cannot be read')
  }
  async function dialogOptionsFor({ media, name }: CopyRequest) {
    const { headers } = await ask(media, 'HEAD')
    const type = headers.get('content-type') ?? ''
    return saveName(
      name,
      deps.files.isOwnPage(media) ? 'text/html' : type,
      deps.files.importedName(media),
    )
  }

  /** Writes the file to a new path, with the web mark if it is from the network. */
  async function fill(media: string, path: string, flow: Flow = {}): Promise<void> {
    await copyTo(media, path, flow)
    if (deps.files.isReceived(media)) await markFromWeb(path, deps.platform)
  }
  /** Saved content is cloned if the file system can, which takes no time. */
  async function copyTo(media: string, path: string, flow: Flow): Promise<void> {
    if (contentIdPattern.test(media)) {
      const from = await deps.files.path(media)
      if (await cloned(from, path)) return
      const { size } = await stat(from)
      return pour(createReadStream(from, { highWaterMark: chunkBytes }), size, path, flow)
    }
    const { body, headers } = await ask(media, 'GET')
    // Responses of the media address have a body, and the types of the two streams differ in name only.
    const bytes = Readable.fromWeb(body as ReadableStream<Uint8Array>)
    await pour(bytes, Number(headers.get('content-length')), path, flow)
  }

  async function copyFor(request: CopyRequest): Promise<string> {
    await swept
    const folder = join(dragged, ids())
    const path = join(folder, (await dialogOptionsFor(request)).suggestedName)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await fill(request.media, path)
    await chmod(path, mode)
    return path
  }
  /** Returns the copy of an earlier drag unless it was moved. */
  async function readyCopy(request: CopyRequest): Promise<string> {
    const key = JSON.stringify([request.media, request.name])
    const earlier = copies.get(key)
    if (earlier) {
      const path = await earlier
      if (await exists(path)) return path
    }
    const copy = copyFor(request)
    const forgotten = remember(copies, key, copy)
    copy.catch(() => copies.delete(key))
    void forgotten?.then((path) => rm(dirname(path), removal)).catch(() => {})
    return copy
  }

  const saved = (path: string, use: FileUse): string => {
    const id = ids()
    remember(savedPaths, id, path)
    void fileHost?.rememberFolder(path, use)
    return id
  }
  /** Returns the file host; pages without one do not offer these functions. */
  const host = (): FileHost => {
    if (!fileHost) throw new AppError('NOT_IMPLEMENTED', 'This host does not have its own windows')
    return fileHost
  }
  async function pathOf(what: { saved: string } | { media: string }): Promise<string> {
    if ('media' in what) return libraryPath(what.media)
    const path = savedPaths.get(what.saved)
    if (path === undefined) throw new AppError('NOT_FOUND', 'No file was saved with this ID')
    return path
  }
  async function libraryPath(media: string): Promise<string> {
    const id = /^meeting-(.+)$/.exec(media)?.[1]
    if (id === undefined) return deps.files.path(media)
    const folder = sessionFolder(home, id)
    const [first] = partNumbers(await readdir(folder).catch(() => []))
    if (first === undefined) throw new AppError('FILE_MISSING', 'The recording has no audio file')
    return sessionFiles(folder).part(first)
  }

  return {
    saved,
    async save(request, connectionId, watch) {
      const target = await dialogOptionsFor(request)
      if (!fileHost) {
        const id = ids()
        remember(downloads, id, { media: request.media, name: target.suggestedName })
        return { state: 'download', media: `save-${id}` }
      }
      const chosen = await fileHost.saveDialog(target, connectionId)
      if (chosen === null) return { state: 'cancelled' }
      const path = await withExtension(chosen, target.extension)
      const name = basename(path)
      const signal = AbortSignal.any([closing.signal, ...(watch ? [watch.signal] : [])])
      let reportAt = performance.now() + reportAfterMs
      const report = (fraction: number): void => {
        if (performance.now() < reportAt) return
        reportAt = performance.now() + reportEveryMs
        watch?.onProgress(name, fraction)
      }
      const copy = writeCopy({ path, mode, home, signal }, (fresh) =>
        fill(request.media, fresh, { signal, report }),
      )
      running.add(copy)
      try {
        await copy
      } catch (error) {
        if (signal.aborted) return { state: 'cancelled' }
        throw error
      } finally {
        running.delete(copy)
      }
      return { state: 'saved', id: saved(path, target.use), name }
    },
    async reveal(what) {
      const shows = host()
      const path = await pathOf(what)
      if (!(await exists(path))) throw new AppError('FILE_MISSING', 'The file was moved or deleted')
      await shows.showInFolder(path)
    },
    async drag(request, connectionId) {
      const drags = host()
      const path = await Promise.race([readyCopy(request), wait(dragWaitMs, null)])
      if (path === null) return { state: 'preparing' }
      await drags.startDrag(path, connectionId)
      return { state: 'started' }
    },
    async respond(request, name) {
      const download = downloads.get(name.slice('save-'.length))
      if (!download) return refuse(404, 'NOT_FOUND')
      const url = new URL(`/media/${download.media}`, request.url)
      const { method, headers, signal } = request
      const answer = await deps.media(new Request(url, { method, headers, signal }))
      answer.headers.set('content-disposition', contentDisposition('attachment', download.name))
      return answer
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      await clean()
    },
  }
}

/** Options of a copy: cancellation and progress. */
interface Flow {
  readonly signal?: AbortSignal
  report?(fraction: number): void
}

/**
 * Creates a file that shares its bytes with another until one of them is changed; false if the file system does not support it.
 */
async function cloned(from: string, path: string): Promise<boolean> {
  try {
    await copyFile(from, path, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return true
  } catch {
    await rm(path, removal)
    return false
  }
}

async function pour(from: Readable, bytes: number, path: string, flow: Flow): Promise<void> {
  let written = 0
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      written += chunk.length
      flow.report?.(bytes > 0 ? Math.min(1, written / bytes) : 0)
      yield chunk
    }
  }
  const to = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(from, counted, to, { ...(flow.signal && { signal: flow.signal }) })
}

/** Adds an entry to a map of at most {@link maxRemembered}; returns the value that was dropped for it. */
function remember<T>(map: Map<string, T>, key: string, value: T): T | undefined {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map
  if (map.size <= maxRemembered || !oldest) return undefined
  map.delete(oldest[0])
  return oldest[1]
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Adds the extension if the user typed none (dialogs on Linux do not), unless that path is another file. */
async function withExtension(path: string, extension: string): Promise<string> {
  const longer = `${path}.${extension}`
  return extname(path) === '' && !(await exists(longer)) ? longer : path
}
