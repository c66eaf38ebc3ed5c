import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { DocumentFacts } from '../../../shared/model/document.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { DocumentWorker } from '../../documents/work.ts'
import { AppError } from '../../errors.ts'
import { discard } from '../../../system/file-moves.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import { displayTitle } from '../library/title.ts'
import type { PartFiles } from './part-files.ts'
import type { Passwords } from './passwords.ts'
import { wantsPassword } from './document-errors.ts'

/** What taking in needs. */
export interface IntakeDeps {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly store: Store
  readonly files: MediaFiles
  readonly work: Pick<DocumentWorker, 'facts' | 'convert'>
  readonly passwords: Passwords
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

/** Makes documents of kept files. */
export interface Intake {
  /** The id of the document, and whether there was one. Throws NOT_FOUND, FILE_MISSING and what the worker throws. */
  create(request: {
    readonly mediaId: string
    readonly title?: string | undefined
    readonly password?: string | undefined
  }): Promise<{ readonly id: string; readonly known: boolean }>
  /** Looks at a locked file again. Throws REFUSED when the password does not open it. */
  unlock(id: string, password: string): Promise<void>
}

/** What is parsed as it is, with the ending of its name; everything else is a picture that is written anew, or nothing for us. */
const taken = new Map([
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
])

/** Bytes of what a picture is written anew as: it is kept and shown, and made smaller for the service only when it is sent. */
const maxConverted = 1024 * 1024 * 1024

/** Builds the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { store, files, passwords } = deps
  const documents = store.documents
  /** One document for each file, however often it is dropped at the same moment. */
  const making = new Map<string, Promise<{ readonly id: string; readonly known: boolean }>>()

  const mediaOf = (id: string): Media => {
    const media = store.media.get(id)
    if (!media) throw new AppError('NOT_FOUND', 'There is no such file')
    return media
  }

  /** The file in a form that is parsed and shown: itself, or a picture made of it, kept beside it. */
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

  /** Facts of a file; of a locked one those that can be told without a password that opens it. */
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
    const media = await readable(dropped)
    const known = documents.byMedia(media.id)
    if (known !== undefined) return { id: known, known: true }
    const { facts, opened } = await inspect(await files.path(media.id), password)
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
      if (!document) throw new AppError('NOT_FOUND', 'There is no such document')
      if (document.mediaId === null) throw new AppError('FILE_MISSING', 'The original is gone')
      const facts = await deps.work.facts(await files.path(document.mediaId), password)
      if (facts.locked === 'user' && facts.pages === 0)
        throw new AppError('REFUSED', 'The password does not open it', {
          params: { password: 'wrong' },
        })
      documents.setFacts(id, facts)
      passwords.set(id, password)
    },
  }
}

/** The name of a file that is of another kind now. */
const renamed = (name: string, mime: string): string =>
  `${name.replace(/\.[^.]{1,5}$/, '')}.${taken.get(mime) ?? 'bin'}`

/** A title as given, else the file's name without its ending, whatever is left of it. */
function titleOf(given: string | undefined, name: string): string {
  for (const one of [given, name.replace(/\.[^.]{1,5}$/, ''), name]) {
    try {
      if (one !== undefined) return displayTitle(one)
    } catch {
      // Nothing of it can be seen: the next one.
    }
  }
  return 'Document'
}
