import { open } from 'node:fs/promises'
import { kindOf } from '../../../shared/audio/kind.ts'
import type { ItemKind } from '../../../shared/model/library.ts'
import { AppError } from '../../errors.ts'
import { readAudioHeader } from '../../media/audio-header.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'

/** Tells what a kept file is to become. Throws NOT_FOUND, and DAMAGED_FILE for one that is not what its name says, nor anything else. */
export type KindOf = (mediaId: string) => Promise<ItemKind>

/** What telling needs. */
export interface KindOfDeps {
  readonly store: Pick<Store, 'media'>
  readonly files: Pick<MediaFiles, 'path'>
  /** Longest sound and largest file of one call now (service-notes 4, widened by the profile). */
  limits(): { readonly seconds: number; readonly bytes: number }
}

/** Kinds that are meetings whatever their length: the service takes wav and mp3 alone. Our own json is a transcript, or a conversation. */
const alwaysMeeting = /^(audio\/(?!wav$|mpeg$)|video\/|application\/json$)/

/** What is looked at: PDF, and pictures of pages. */
const alwaysDocument = /^(application\/pdf$|image\/)/

/** Builds the choice between a recording of one call, a meeting and a document. */
export function createKindOf({ store, files, limits }: KindOfDeps): KindOf {
  const fitsOneCall = async (mediaId: string, bytes: number): Promise<boolean> => {
    const { seconds } = await readAudioHeader(await files.path(mediaId))
    const max = limits()
    return seconds <= max.seconds && bytes <= max.bytes
  }
  return async (mediaId) => {
    const media = store.media.get(mediaId)
    if (!media) throw new AppError('NOT_FOUND', 'No such file')
    if (media.mime === 'application/json' && (await holdsChat(await files.path(mediaId))))
      return 'conversation'
    if (alwaysMeeting.test(media.mime)) return 'meeting'
    if (alwaysDocument.test(media.mime)) return 'document'
    if (!media.mime.startsWith('audio/')) {
      const named = /\.(\w{2,4})$/.exec(media.name)?.[1]?.toLowerCase() ?? ''
      const kind = endings.get(named)
      if (kind !== undefined && (await isNothingKnown(await files.path(mediaId))))
        throw new AppError('DAMAGED_FILE', `The file does not begin like ${kind}`, {
          params: { kind, reason: 'start' },
        })
      return 'recording'
    }
    // A sound whose head cannot be read goes the way of one call: that way has the words for what is wrong with it.
    const fits = await fitsOneCall(mediaId, media.bytes).catch(() => true)
    return fits ? 'recording' : 'meeting'
  }
}

/** Kinds that a file is of by its name, as they are called. */
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

/** Whether a file begins like no kind of file: what its name says is all that is known of it. */
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

/** Bytes of a json in which its format is named: in our own it is the first field. */
const headBytes = 4096

/** Whether a json says that it is a conversation of ours; whether it holds together is told when it is read in. */
async function holdsChat(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return /"format"\s*:\s*"lectern\.chat"/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}
