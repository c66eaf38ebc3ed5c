import { open, readFile, stat, type FileHandle } from 'node:fs/promises'
import {
  type Part,
  type SessionHead,
  headFromAudio,
  listPartsSoon,
  maxHeadBytes,
  parseHead,
  sessionFiles,
  sessionFolder,
  totalFrames,
} from '../../../../platform/audio/session-files.ts'
import {
  frameBytesOf,
  waveHeader,
  waveHeaderBytes,
} from '../../../../../shared/audio/wave-header.ts'
import {
  answerWith,
  refuse,
  refuseMethod,
  type Content,
  type ByteReader,
} from '../../../../platform/files/media-response.ts'

/**
 * Serves `meeting-<id>`, all parts as one wav file, and `peaks-<id>`. While a session is being written they have their current
 * length; `?frames=N` requests the audio up to a frame, which stays the same for every request.
 */
export async function respondWithSession(
  request: Request,
  home: string,
  name: string,
): Promise<Response> {
  const refused = refuseMethod(request)
  if (refused) return refused
  const match = /^(meeting|peaks)-([A-Za-z0-9_-]{1,64})$/.exec(name)
  if (!match) return refuse(404, 'NOT_FOUND')
  const [, kind = '', id = ''] = match
  try {
    const folder = sessionFolder(home, id)
    const content =
      kind === 'peaks'
        ? await peaksOf(folder, id)
        : await audioOf(folder, id, requestedFrames(request.url))
    return content ? answerWith(request, content) : refuse(404, 'NOT_FOUND')
  } catch {
    return refuse(404, 'FILE_MISSING')
  }
}

/** The frame in `?frames=`; unlimited without it. */
function requestedFrames(url: string): number {
  const requested = new URL(url).searchParams.get('frames') ?? ''
  return /^\d{1,15}$/.test(requested) ? Number(requested) : Number.POSITIVE_INFINITY
}

async function audioOf(folder: string, id: string, frameLimit: number): Promise<Content | null> {
  const head = await headOf(folder)
  if (!head) return null
  const layout = { channels: head.roles.length, sampleRate: head.sampleRate }
  const frameBytes = frameBytesOf(layout)
  const parts = await listPartsSoon(folder, frameBytes)
  const frames = Math.min(frameLimit, totalFrames(parts))
  const header = waveHeader(layout, frames * frameBytes)
  return {
    tag: `${id}-${frames}`,
    mime: 'audio/wav',
    name: `${head.title || id}.wav`,
    size: header.length + frames * frameBytes,
    open: async () => openParts(header, parts, frameBytes),
  }
}

async function peaksOf(folder: string, id: string): Promise<Content> {
  const { peaks } = sessionFiles(folder)
  const { size, mtimeMs } = await stat(peaks)
  const tag = `${id}-${size}-${Math.round(mtimeMs)}`
  const mime = 'application/octet-stream'
  return { tag, mime, name: `${id}.dat`, size, open: () => open(peaks, 'r') }
}

async function headOf(folder: string): Promise<SessionHead | null> {
  const { head } = sessionFiles(folder)
  const size = (await stat(head).catch(() => null))?.size ?? 0
  const text = size > maxHeadBytes ? '' : await readFile(head, 'utf8').catch(() => '')
  return parseHead(text) ?? headFromAudio(folder)
}

/** A header followed by the audio of all parts, read as one file. A read may return less than requested at a part boundary. */
function openParts(header: Uint8Array, parts: readonly Part[], frameBytes: number): ByteReader {
  let held: { readonly number: number; readonly file: FileHandle } | null = null

  async function close(): Promise<void> {
    const before = held
    held = null
    await before?.file.close()
  }

  async function fileOf({ number, path }: Part): Promise<FileHandle> {
    if (held?.number === number) return held.file
    await close()
    const file = await open(path, 'r')
    held = { number, file }
    return file
  }

  return {
    close,
    async read(into, offset, length, position) {
      if (position < header.length) {
        const chunk = header.subarray(position, position + length)
        into.set(chunk, offset)
        return { bytesRead: chunk.length }
      }
      const at = position - header.length
      const part = parts.find(({ frame, frames }) => at < (frame + frames) * frameBytes)
      if (!part) return { bytesRead: 0 }
      const inPart = at - part.frame * frameBytes
      const maxBytes = Math.min(length, part.frames * frameBytes - inPart)
      const file = await fileOf(part)
      return await file.read(into, offset, maxBytes, waveHeaderBytes + inPart)
    },
  }
}
