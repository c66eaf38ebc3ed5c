import { createReadStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Meeting } from '../../../../shared/model/meeting.ts'
import type { Ids, Log, WorkerUrl } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { HostDeps } from '../../../host.ts'
import { printedPage } from '../../../platform/export-files/html-page.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import { createWorkerClient } from '../../../platform/workers/client.ts'
import type { AudioWork } from '../service/audio-worker.ts'
import type { JsonAnswer, JsonRequest } from './json-worker.ts'
import type { ExportRequest } from './write.ts'
import { type JsonFile, openJsonFile } from './json-file.ts'
import { fileName } from '../../../platform/files/display-name.ts'
import type { Media } from '../../../../shared/model/library.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'

/** Writes meetings to files that the page saves, and opens our own JSON files. */
export interface MeetingExports {
  text(request: ParsedOf<'meetings.export'>): Promise<Media>
  /** Throws CANCELLED when the signal aborts. */
  audio(request: ParsedOf<'meetings.exportAudio'>, signal?: AbortSignal): Promise<Media>
  /** Opens an exported JSON file for import. Throws an error code for any other JSON. */
  openJson(mediaId: string): Promise<JsonFile>
  close(): Promise<void>
}

/** Dependencies of exports. */
interface MeetingExportsDeps {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  readonly printPdf?: HostDeps['printPdf']
  readonly store: Store
  readonly files: MediaFiles
  readonly audio: Pick<AudioWork, 'writeAudio'>
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

/** Row limit of a query: every export reads the whole transcript. */
const everything = 1_000_000

/** Creates exports: they are written in a worker; the result is a saved file that housekeeping deletes a day later. */
export function createMeetingExports(deps: MeetingExportsDeps): MeetingExports {
  const { store, files } = deps
  const worker = createWorkerClient<
    ExportRequest | JsonRequest,
    Uint8Array<ArrayBuffer> | JsonAnswer
  >({ url: deps.workerUrl('exports'), name: 'Exports' })
  // Each request type has its own response type.
  const write = async (request: ExportRequest): Promise<Uint8Array<ArrayBuffer>> =>
    (await worker.call(request)) as Uint8Array<ArrayBuffer>
  const ask = async (request: JsonRequest): Promise<JsonAnswer> =>
    (await worker.call(request)) as JsonAnswer
  const closing = new AbortController()
  const folder = join(deps.home, 'exports')

  const printed = async (html: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const page = join(folder, `${deps.ids()}.html`)
    try {
      await writeFile(page, html, { flag: 'wx', mode: 0o600 })
      return new Uint8Array(await printedPage(deps.printPdf, page))
    } finally {
      await discard(page, deps.log)
    }
  }
  const need = (id: string): Meeting => {
    const meeting = store.meetings.get(id)
    if (!meeting) throw new AppError('NOT_FOUND', 'Meeting not found')
    return meeting
  }

  return {
    async text({ id, format, options, language, summaryId }) {
      const meeting = need(id)
      const summary = meeting.summaries.find((one) => one.id === summaryId)
      if (summaryId !== undefined && !summary)
        throw new AppError('NOT_FOUND', 'The summary was not found')
      const original = meeting.originalMediaId && store.media.get(meeting.originalMediaId)
      const segments = store.meetings.segments(id, 0, everything)
      const segmentIds = segments.map((one) => one.id)
      const bytes = await write({
        format: format === 'pdf' ? 'html' : format,
        options,
        language,
        summaryId,
        source: {
          meeting,
          lines: store.meetings.lines(id, 0, everything),
          segments,
          // Selected by their segments: without them only suggestions are returned.
          versions: format === 'json' ? store.meetings.versions(id, segmentIds) : [],
          originalSha256: original ? original.sha256 : null,
          appVersion: deps.version,
        },
      })
      const title = summary ? `${meeting.title} – ${summary.templateName}` : meeting.title
      const name = fileName(title, format)
      const save = (file: Uint8Array<ArrayBuffer>): Promise<Media> =>
        files.intake(
          new Blob([file]).stream(),
          name,
          file.length,
          undefined,
          format === 'html' ? 'ownPage' : 'received',
        )
      return format === 'pdf' ? save(await printed(bytes)) : save(bytes)
    },
    async audio({ id, format, channel, range }, signal) {
      const meeting = need(id)
      if (typeof channel === 'number' && channel >= meeting.channels.length)
        throw new AppError('BAD_REQUEST', 'The meeting does not have this channel')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const to = join(folder, `${deps.ids()}.${format}`)
      const ends = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      try {
        const request = { id, to, format, channel, range: range ?? null }
        await deps.audio.writeAudio(request, ends)
        const { size } = await stat(to)
        const body = Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>
        return await files.intake(body, fileName(meeting.title, format), size, ends)
      } finally {
        await discard(to, deps.log)
      }
    },
    openJson: async (mediaId) => openJsonFile(ask, await files.path(mediaId), deps.ids()),
    async close() {
      closing.abort()
      await worker.close()
      await discard(folder, deps.log)
    },
  }
}
