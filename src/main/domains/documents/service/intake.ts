import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import {
  newerFormatOf,
  textFormatOfFile,
  textFormats,
  type TextFormat,
} from '../../../../shared/documents/text-formats.ts'
import type { DocumentFacts } from '../../../../shared/model/document.ts'
import type { Media } from '../../../../shared/model/library.ts'
import type { Log } from '../../../deps.ts'
import type { DocumentWorker } from '../worker/work.ts'
import { AppError } from '../../../errors.ts'
import { discard } from '../../../../system/file-moves.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import type { PartFiles } from './part-files.ts'
import { wantsPassword } from './document-errors.ts'
import type { Context } from '../../../context.ts'

/** Dependencies for importing files. */
interface IntakeDeps extends Pick<Context, 'store' | 'files' | 'clock' | 'ids'> {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly work: Pick<DocumentWorker, 'facts' | 'textFacts' | 'convert'>
  readonly passwords: Map<string, string>
  readonly log: Pick<Log, 'warn'>
}

/** Creates documents from saved files. */
interface Intake {
  /**
   * Returns the ID of the document, and whether it already existed. Throws NOT_FOUND, FILE_MISSING and the errors of the
   * worker.
   */
  create(request: {
    readonly mediaId: string
    readonly title?: string | undefined
    readonly password?: string | undefined
  }): Promise<{ readonly id: string; readonly known: boolean }>
  /** Inspects a locked file again. Throws REFUSED when the password does not open it. */
  unlock(id: string, password: string): Promise<void>
}

/** Types that are parsed unchanged, with their file extension; others are converted if they are images, else unsupported. */
const taken = new Map([
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
])

/** Maximum size in bytes of a converted image: it is saved and shown, and only made smaller when it is sent. */
const maxConverted = 1024 * 1024 * 1024

export function createIntake(deps: IntakeDeps): Intake {
  const { store, files, passwords } = deps
  const documents = store.documents
  /** Pending creations, so that a file dropped several times at once becomes one document. */
  const making = new Map<string, Promise<{ readonly id: string; readonly known: boolean }>>()

  const mediaOf = (id: string): Media => {
    const media = store.media.get(id)
    if (!media) throw new AppError('NOT_FOUND', 'File not found')
    return media
  }

  /** Returns the file in a form that can be parsed and shown: itself, or an image converted from it and saved with it. */
  const readable = async (media: Media): Promise<Media> => {
    if (taken.has(media.mime)) return media
    const to = await deps.parts.freePath()
    try {
      const path = await files.path(media.id)
      const made = await deps.work.convert({ path, to, maxBytes: maxConverted })
      const bytes = Readable.toWeb(createReadStream(made.path)) as ReadableStream<Uint8Array>
      return await files.intake(bytes, renamed(media.name, made.mime), made.bytes)
    } finally {
      await discard(to, deps.log)
    }
  }

  /** Returns the facts of a file; for a locked one, those available without its password. */
  const inspect = async (
    path: string,
    password: string | null,
  ): Promise<{ readonly facts: DocumentFacts; readonly opened: boolean }> => {
    try {
      return { facts: await deps.work.facts(path, password), opened: password !== null }
    } catch (error) {
      if (password === null || !wantsPassword(error)) throw error
      return { facts: await deps.work.facts(path, null), opened: false }
    }
  }

  const make: Intake['create'] = async ({ mediaId, title, password = null }) => {
    const dropped = mediaOf(mediaId)
    const format = formatOf(dropped)
    const media = format ? dropped : await readable(dropped)
    const known = documents.byMedia(media.id)
    if (known !== undefined) return { id: known, known: true }
    const path = await files.path(media.id)
    const { facts, opened } = format
      ? { facts: await deps.work.textFacts({ path, format }), opened: false }
      : await inspect(path, password)
    const id = deps.ids()
    documents.create({
      id,
      title: titleOf(title, dropped.name),
      mediaId: media.id,
      name: dropped.name,
      facts,
      at: deps.clock(),
    })
    if (opened && password !== null && facts.locked === 'user') passwords.set(id, password)
    return { id, known: false }
  }

  return {
    async create(request) {
      const known = documents.byMedia(request.mediaId)
      if (known !== undefined) return { id: known, known: true }
      const before = making.get(request.mediaId)
      if (before) return { ...(await before), known: true }
      const made = make(request).finally(() => making.delete(request.mediaId))
      making.set(request.mediaId, made)
      return made
    },
    async unlock(id, password) {
      const document = documents.get(id)
      if (!document) throw new AppError('NOT_FOUND', 'Document not found')
      if (document.mediaId === null)
        throw new AppError('FILE_MISSING', 'The original file no longer exists')
      const facts = await deps.work.facts(await files.path(document.mediaId), password)
      if (facts.locked === 'user' && facts.pages === 0)
        throw new AppError('REFUSED', 'The password is incorrect', {
          params: { password: 'wrong' },
        })
      documents.setFacts(id, facts)
      passwords.set(id, password)
    },
  }
}

/** Returns the format of a file that contains its text; null for others. Throws UNSUPPORTED_FORMAT for older formats. */
function formatOf(media: Media): TextFormat | null {
  const newer = taken.has(media.mime) ? null : newerFormatOf(media.name)
  if (newer === null) return textFormatOfFile(media)
  throw new AppError('UNSUPPORTED_FORMAT', 'The file has the format of an older program', {
    params: { problem: 'legacy', kind: textFormats[newer].kind, ending: newer.toUpperCase() },
  })
}

/** Returns the name of a converted file. */
const renamed = (name: string, mime: string): string =>
  `${name.replace(/\.[^.]{1,5}$/, '')}.${taken.get(mime) ?? 'bin'}`

/** Returns the given title, or the file's name without its extension, or the whole name. */
function titleOf(given: string | undefined, name: string): string {
  for (const one of [given, name.replace(/\.[^.]{1,5}$/, ''), name]) {
    try {
      if (one !== undefined) return displayTitle(one)
    } catch {
      // It has no visible character: try the next one.
    }
  }
  return 'Document'
}
