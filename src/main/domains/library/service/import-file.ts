import { open } from 'node:fs/promises'
import { kindOf } from '../../../../shared/audio/kind.ts'
import { newerFormatOf, textFormatOfFile } from '../../../../shared/documents/text-formats.ts'
import type { ImportedItem } from '../../../../shared/contract/library.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import { AppError } from '../../../errors.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Meetings } from '../../audio/index.ts'
import type { Chats } from '../../chats/index.ts'
import type { DocumentsService } from '../../documents/index.ts'

/** Types that are meetings: all audio, and our own JSON unless it is a chat. */
const meetingTypes = /^(audio\/|video\/|application\/json$)/

/** Types that are documents: PDF, and images of pages. */
const documentTypes = /^(application\/pdf$|image\/)/

interface FileImportDeps {
  readonly store: Pick<Store, 'media'>
  readonly files: Pick<MediaFiles, 'path'>
  readonly meetings: Pick<Meetings, 'import'>
  readonly documents: Pick<DocumentsService, 'create'>
  readonly chats: { readonly exports: Pick<Chats['exports'], 'import'> }
}

/** Creates the item of a saved file. Throws NOT_FOUND, and the errors of the import. */
export type FileImport = (request: ParsedOf<'library.import'>) => Promise<ImportedItem>

export function createFileImport(deps: FileImportDeps): FileImport {
  return async (request) => {
    switch (await kindOfMedia(deps, request.mediaId)) {
      case 'conversation': {
        const { id } = await deps.chats.exports.import(request)
        return { kind: 'conversation', itemId: id, known: false }
      }
      case 'document': {
        const { document, known } = await deps.documents.create(request)
        return { kind: 'document', itemId: document.id, known, document }
      }
      case 'meeting': {
        const { meeting, known } = await deps.meetings.import({ ...request, channels: 'auto' })
        return { kind: 'meeting', itemId: meeting.id, known, error: meeting.error }
      }
    }
  }
}

/** Throws NOT_FOUND, and DAMAGED_FILE if the file matches neither its name nor any other type. */
async function kindOfMedia(
  { store, files }: Pick<FileImportDeps, 'store' | 'files'>,
  mediaId: string,
): Promise<ImportedItem['kind']> {
  const media = store.media.get(mediaId)
  if (!media) throw new AppError('NOT_FOUND', 'File not found')
  if (media.mime === 'application/json' && (await holdsChat(await files.path(mediaId))))
    return 'conversation'
  if (documentTypes.test(media.mime)) return 'document'
  if (textFormatOfFile(media) !== null || newerFormatOf(media.name) !== null) return 'document'
  if (!meetingTypes.test(media.mime)) {
    const named = /\.(\w{2,4})$/.exec(media.name)?.[1]?.toLowerCase() ?? ''
    const kind = endings.get(named)
    if (kind !== undefined && (await isNothingKnown(await files.path(mediaId))))
      throw new AppError('DAMAGED_FILE', `The file does not start like ${kind}`, {
        params: { kind, reason: 'start' },
      })
  }
  // The import of a meeting says what is wrong with any other file.
  return 'meeting'
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
