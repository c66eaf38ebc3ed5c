import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { meetingJson, type MeetingJson } from '../../../../shared/bridge/meeting-json.ts'
import type { Meeting } from '../../../../shared/model/meeting.ts'
import type { Ids, WorkerUrl } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { contentId } from '../../../media/content-id.ts'
import type { MediaFiles } from '../../../media/files.ts'
import type { Store } from '../../../store/types.ts'
import { createWorkerClient } from '../../../workers/client.ts'
import { displayTitle } from '../../library/title.ts'
import type { MeetingExports, SoundWork } from '../parts.ts'
import type { ExportRequest } from '../../../exports/write.ts'

/** What exports are built from. */
export interface MeetingExportsDeps {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  readonly store: Store
  readonly files: MediaFiles
  readonly sound: Pick<SoundWork, 'writeSound'>
  readonly ids: Ids
  activeAccountId(): string
}

/** Largest json that is read, in bytes: a day of talk is some 20 MB, and all of it is checked and stored in one go. */
const largestJson = 64 * 1024 * 1024
/** Rows read at once: every export reads the whole transcript. */
const everything = 1_000_000

/** Builds exports: the writing happens in a worker, what comes of it is a kept file that housekeeping sweeps a day later. */
export function createMeetingExports(deps: MeetingExportsDeps): MeetingExports {
  const { store, files } = deps
  const worker = createWorkerClient<ExportRequest, Uint8Array<ArrayBuffer>>({
    url: deps.workerUrl('exports'),
    name: 'Exports',
  })
  const closing = new AbortController()
  const folder = join(deps.home, 'exports')

  const need = (id: string): Meeting => {
    const meeting = store.meetings.get(id)
    if (!meeting) throw new AppError('NOT_FOUND', 'There is no such meeting')
    return meeting
  }

  return {
    async text({ id, format, options, language }) {
      const meeting = need(id)
      const original = meeting.originalMediaId && store.media.get(meeting.originalMediaId)
      const segments = store.meetings.segments(id, 0, everything)
      const segmentIds = segments.map((one) => one.id)
      const bytes = await worker.call({
        format,
        options,
        language,
        source: {
          meeting,
          lines: store.meetings.lines(id, 0, everything),
          segments,
          // Named by their segments: without, only proposals come.
          readings: format === 'json' ? store.meetings.readings(id, segmentIds) : [],
          originalSha256: original ? original.sha256 : null,
          appVersion: deps.version,
        },
      })
      return files.intake(new Blob([bytes]).stream(), fileName(meeting.title, format), bytes.length)
    },
    async sound({ id, format, channel, range }, signal) {
      const meeting = need(id)
      if (typeof channel === 'number' && channel >= meeting.channels.length)
        throw new AppError('BAD_REQUEST', 'This meeting has no such channel')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const to = join(folder, `${deps.ids()}.${format}`)
      const ends = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      try {
        const request = { id, to, format, channel, range: range ?? null }
        await deps.sound.writeSound(request, ends)
        const { size } = await stat(to)
        const body = Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>
        return await files.intake(body, fileName(meeting.title, format), size, ends)
      } finally {
        await rm(to, { force: true })
      }
    },
    async readJson(mediaId, title) {
      const path = await files.path(mediaId)
      const { size } = await stat(path)
      if (size > largestJson)
        throw new AppError('FILE_TOO_LARGE', 'The json is too large', {
          params: { what: 'file', limit: largestJson, value: size },
        })
      const document = readMeetingJson(await readFile(path, 'utf8'))
      const { originalSha256 } = document
      const original =
        originalSha256 === null ? undefined : store.media.get(contentId(originalSha256))
      const id = deps.ids()
      const wanted = displayTitle(title?.trim() || document.title)
      store.meetings.restore(
        id,
        { ...document, title: wanted },
        {
          mediaId: original?.id ?? null,
          accountId: deps.activeAccountId(),
        },
      )
      return { id }
    },
    async close() {
      closing.abort()
      await worker.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Reads our json. Throws UNSUPPORTED_FORMAT for json of others, DAMAGED_FILE for ours when it does not hold together. */
function readMeetingJson(text: string): MeetingJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('DAMAGED_FILE', 'This is no whole json', { params: { kind: 'json' } })
  }
  const ours = typeof value === 'object' && value !== null && 'format' in value ? value : null
  if (ours?.format !== 'lectern-meeting')
    throw new AppError('UNSUPPORTED_FORMAT', 'This json is no meeting of Lectern', {
      params: { kind: 'json' },
    })
  const read = meetingJson.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new AppError(
    'DAMAGED_FILE',
    `This meeting does not hold together: ${issue?.path.join('.') ?? ''}`,
    {
      params: { kind: 'json', reason: issue?.path.join('.') ?? '' },
    },
  )
}

/** The title as a file name every system takes. */
export function fileName(title: string, extension: string): string {
  const plain = title
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const name = Array.from(plain).slice(0, 80).join('').trim()
  if (name === '') return `meeting.${extension}`
  // Names of devices in Windows, whatever their extension.
  return /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name)
    ? `${name}_.${extension}`
    : `${name}.${extension}`
}
