import { open } from 'node:fs/promises'
import type { ItemKind } from '../../../shared/model/library.ts'
import { AppError } from '../../errors.ts'
import { readAudioHeader } from '../../media/audio-header.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'

/** Tells what a kept file is to become. Throws NOT_FOUND. */
export type KindOf = (mediaId: string) => Promise<ItemKind>

/** What telling needs. */
export interface KindOfDeps {
  readonly store: Pick<Store, 'media'>
  readonly files: Pick<MediaFiles, 'path'>
  /** Longest sound and largest file of one call now (spec 4.14, widened by the profile). */
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
    const most = limits()
    return seconds <= most.seconds && bytes <= most.bytes
  }
  return async (mediaId) => {
    const media = store.media.get(mediaId)
    if (!media) throw new AppError('NOT_FOUND', 'No such file')
    if (media.mime === 'application/json' && (await holdsChat(await files.path(mediaId))))
      return 'conversation'
    if (alwaysMeeting.test(media.mime)) return 'meeting'
    if (alwaysDocument.test(media.mime)) return 'document'
    if (!media.mime.startsWith('audio/')) return 'recording'
    // A sound whose head cannot be read goes the way of one call: that way has the words for what is wrong with it.
    const fits = await fitsOneCall(mediaId, media.bytes).catch(() => true)
    return fits ? 'recording' : 'meeting'
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
