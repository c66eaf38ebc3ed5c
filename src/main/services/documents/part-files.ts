import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { partSettings } from '../../../shared/document/plan.ts'
import type { DocumentFacts } from '../../../shared/model/document.ts'
import type { Limits } from '../../../shared/service/limits.ts'
import type { Ids } from '../../deps.ts'
import type { DocumentPart } from '../../documents/messages.ts'
import { orientationOf } from '../../documents/pdf/image-header.ts'
import type { DocumentWorker } from '../../documents/work.ts'
import { AppError } from '../../errors.ts'
import { removal } from '../../../system/file-moves.ts'
import { isInside } from '../../security/private-files.ts'
import type { PartRecord } from '../../store/documents-types.ts'
import { isTooLarge } from './document-errors.ts'

/** A part as it can be sent. */
export type PartFile = Omit<DocumentPart, 'drawn'>

/** Writes the files that parts are sent as, and removes them. */
export interface PartFiles {
  /** A path below the work folder that nothing has: what is written there does not outlive a start. */
  freePath(): Promise<string>
  /**
   * The files of a part: the document itself where it is one part, else pages in files of their own; several when they do not fit
   * into one. A page that was too large as it is comes as a picture.
   */
  prepare(order: {
    readonly part: PartRecord
    readonly facts: DocumentFacts
    readonly path: string
    readonly password: string | null
    readonly limits: Limits
  }): Promise<readonly PartFile[]>
  /** Removes what was written; the document itself is none of it. */
  remove(file: PartFile): Promise<void>
  /** Removes all that an earlier run left. */
  empty(): Promise<void>
}

/** What writing parts needs. */
export interface PartFilesDeps {
  readonly home: string
  readonly work: Pick<DocumentWorker, 'split' | 'convert'>
  readonly ids: Ids
}

/** Files below `home/parts`, under short names: paths stay far below what any system takes. */
export function createPartFiles({ home, work, ids }: PartFilesDeps): PartFiles {
  const folder = join(home, 'parts')
  let cleaned: Promise<unknown> = Promise.resolve()
  const isOurs = (path: string): boolean => isInside(folder, path)
  /** Another name for each writing: a part that is written again must not meet what is still being removed. */
  const shortName = (): string => ids().slice(-12)

  const ready = async (): Promise<void> => {
    // What an earlier run left is gone before anything new is written beside it.
    await cleaned
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  const freePath = async (): Promise<string> => {
    await ready()
    return join(folder, shortName())
  }

  const imageFile = async (
    { part, facts, path, limits }: Parameters<PartFiles['prepare']>[0],
    pages: Pick<PartFile, 'first' | 'last'>,
  ): Promise<readonly PartFile[]> => {
    const limit = limits.layout.imageBytes
    const again = part.error !== null && isTooLarge(part.error)
    // The service looks at pixels alone: what it sees, and counts its boxes on, must lie as it is shown.
    const upright = facts.mime === 'image/png' || (await orientationOf(path)) === 1
    if (!again && upright && facts.bytes <= limit && facts.mime !== 'application/pdf')
      return [{ ...pages, path, bytes: facts.bytes, mime: facts.mime }]
    // The service's limit is another one than ours: half of what it refused.
    const maxBytes = again ? Math.floor(Math.min(part.bytes ?? facts.bytes, limit) / 2) : limit
    const made = await work.convert({ path, to: await freePath(), maxBytes })
    return [{ ...pages, path: made.path, bytes: made.bytes, mime: made.mime }]
  }

  return {
    freePath,
    async prepare(order) {
      const { part, facts, path, password, limits } = order
      const { first, last } = part
      if (facts.mime !== 'application/pdf') return imageFile(order, { first, last })
      const raster = first === last && part.error !== null && isTooLarge(part.error)
      if (!raster && isSentAsItIs(facts, part, limits))
        return [{ first, last, path, bytes: facts.bytes, mime: facts.mime }]
      const { pdfBytes, imageBytes } = limits.layout
      const maxBytes = raster ? Math.min(pdfBytes, imageBytes) : pdfBytes
      await ready()
      const name = shortName()
      const parts = await work.split({
        path,
        password,
        first,
        last,
        folder,
        name,
        maxBytes,
        raster,
      })
      if (parts.length === 0) throw new AppError('DAMAGED_FILE', 'These pages cannot be written')
      return parts
    },
    async remove({ path }) {
      // What cannot be removed now is removed at the next start.
      if (isOurs(path)) await rm(path, removal).catch(() => undefined)
    },
    async empty() {
      cleaned = rm(folder, removal).catch(() => undefined)
      await cleaned
    },
  }
}

/** One part of modest size that anybody can open needs no file of its own. */
function isSentAsItIs(
  { bytes, locked, pages }: DocumentFacts,
  { first, last }: PartRecord,
  { layout }: Limits,
): boolean {
  const limit = Math.min(partSettings.bytes, layout.pdfBytes)
  return locked === 'no' && first === 1 && last === pages && pages <= layout.pages && bytes <= limit
}
