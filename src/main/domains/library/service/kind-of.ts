import { open } from 'node:fs/promises'
import { kindOf } from '../../../../shared/audio/kind.ts'
import type { ItemKind } from '../../../../shared/model/library.ts'
import { AppError } from '../../../errors.ts'
import { readAudioHeader } from '../../../platform/files/audio-header.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'

/**
 * Determines the item kind of a saved file. Throws NOT_FOUND, and DAMAGED_FILE if the file matches neither its name nor any other
 * type.
 */
export type KindOf = (mediaId: string) => Promise<ItemKind>

export interface KindOfDeps {
  readonly store: Pick<Store, 'media'>
  readonly files: Pick<MediaFiles, 'path'>
  /** Current maximum audio length and file size of one request (service-notes 4, extended by the profile). */
  limits(): { readonly seconds: number; readonly bytes: number }
}

/**
 * Types that are meetings regardless of length: the provider accepts only wav and mp3. Our own JSON is a transcript, or a chat.
 */
const alwaysMeeting = /^(audio\/(?!wav$|mpeg$)|video\/|application\/json$)/

/** Types that are documents: PDF, and images of pages. */
const alwaysDocument = /^(application\/pdf$|image\/)/

/** Creates the choice between a recording of one request, a meeting and a document. */
export function createKindOf({ store, files, limits }: KindOfDeps): KindOf {
  const fitsOneCall = async (mediaId: string, bytes: number): Promise<boolean> => {
    const { seconds } = await readAudioHeader(await files.path(mediaId))
    const max = limits()
    return seconds <= max.seconds && bytes <= max.bytes
  }
  return async (mediaId) => {
    const media = store.media.get(mediaId)
    if (!media) throw new AppError('NOT_FOUND', 'File not found')
    if (media.mime === 'application/json' && (await holdsChat(await files.path(mediaId))))
      return 'conversation'
    if (alwaysMeeting.test(media.mime)) return 'meeting'
    if (alwaysDocument.test(media.mime)) return 'document'
    if (!media.mime.startsWith('audio/')) {
      const named = /\.(\w{2,4})$/.exec(media.name)?.[1]?.toLowerCase() ?? ''
      const kind = endings.get(named)
      if (kind !== undefined && (await isNothingKnown(await files.path(mediaId))))
        throw new AppError('DAMAGED_FILE', `The file does not start like ${kind}`, {
          params: { kind, reason: 'start' },
        })
      return 'recording'
    }
    // Audio with an unreadable header is treated as one request, which reports what is wrong with it.
    const fits = await fitsOneCall(mediaId, media.bytes).catch(() => true)
    return fits ? 'recording' : 'meeting'
  }
}

/** Display names of file types by file name extension. */
const endings: ReadonlyMap<string, string> = new Map(
  [
    'WAV',
    'MP3',
    'M4A',
    'MP4',
    'MOV',
    'OGG',
    'FLAC',
    'PDF',
    'PNG',
    'TIFF',
    'HEIC',
    'AVIF',
    'GIF',
    'BMP',
  ]
    .map((kind) => [kind.toLowerCase(), kind] as const)
    .concat([
      ['opus', 'OGG'],
      ['oga', 'OGG'],
      ['webm', 'WebM'],
      ['webp', 'WebP'],
      ['jpg', 'JPEG'],
      ['jpeg', 'JPEG'],
      ['tif', 'TIFF'],
    ]),
)

/** Whether a file matches no known signature, so that only its name indicates its type. */
async function isNothingKnown(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, Math.min(bytesRead, 64))
    return kindOf(head, (await file.stat()).size) === 'unknown'
  } finally {
    await file.close()
  }
}

/** Bytes at the start of a JSON file that contain its format: in our own files it is the first field. */
const headBytes = 4096

/** Whether a JSON file claims to be a Lectern chat; its validity is checked at import. */
async function holdsChat(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return /"format"\s*:\s*"lectern\.chat"/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}
