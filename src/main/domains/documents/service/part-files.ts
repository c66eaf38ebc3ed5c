import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { partSettings } from '../../../../shared/documents/plan.ts'
import type { DocumentFacts } from '../../../../shared/model/document.ts'
import type { Limits } from '../../../../shared/provider/limits.ts'
import type { DocumentPart } from '../worker/messages.ts'
import { orientationOf } from '../../../platform/files/image-header.ts'
import type { DocumentWorker } from '../worker/work.ts'
import { AppError } from '../../../errors.ts'
import { removal } from '../../../../system/file-moves.ts'
import { isInside } from '../../../platform/security/private-files.ts'
import type { PartRecord } from '../store/documents-types.ts'
import { isTooLarge } from './document-errors.ts'
import type { Context } from '../../../context.ts'

/** A part in a form that can be sent. */
export type PartFile = Omit<DocumentPart, 'drawn'>

/** Writes the files in which parts are sent, and removes them. */
export interface PartFiles {
  /** Returns an unused path below the work folder, whose files are deleted at the next start. */
  freePath(): Promise<string>
  /**
   * Returns the files of a part: the document itself if it is one part, else pages in separate files; several if they do not fit
   * into one. A page that was too large in its original form is returned as an image.
   */
  prepare(order: {
    readonly part: PartRecord
    readonly facts: DocumentFacts
    readonly path: string
    readonly password: string | null
    readonly limits: Limits
  }): Promise<readonly PartFile[]>
  /** Removes files that were written; never the document itself. */
  remove(file: PartFile): Promise<void>
  /** Removes everything that an earlier run left. */
  empty(): Promise<void>
}

interface PartFilesDeps extends Pick<Context, 'home' | 'ids'> {
  readonly work: Pick<DocumentWorker, 'split' | 'convert'>
}

/** Writes files below `home/parts` with short names: paths stay far below the limit of every system. */
export function createPartFiles({ home, work, ids }: PartFilesDeps): PartFiles {
  const folder = join(home, 'parts')
  let cleaned: Promise<unknown> = Promise.resolve()
  const isOurs = (path: string): boolean => isInside(folder, path)
  /** Returns a new name for each file: a part written again must not collide with one still being removed. */
  const shortName = (): string => ids().slice(-12)

  const ready = async (): Promise<void> => {
    // Leftovers of an earlier run are removed before anything new is written.
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
    // The provider reads the pixels only: the orientation it sees, and its box coordinates, must match the display.
    const upright = facts.mime === 'image/png' || (await orientationOf(path)) === 1
    const { mime, bytes } = facts
    const isAccepted = mime === 'image/png' || mime === 'image/jpeg'
    if (!again && upright && bytes <= limit && isAccepted) return [{ ...pages, path, bytes, mime }]
    // The provider's limit differs from ours: use half of the size it refused.
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
      if (parts.length === 0)
        throw new AppError('DAMAGED_FILE', 'These pages cannot be exported as a file')
      return parts
    },
    async remove({ path }) {
      // Files that cannot be removed now are removed at the next start.
      if (isOurs(path)) await rm(path, removal).catch(() => undefined)
    },
    async empty() {
      cleaned = rm(folder, removal).catch(() => undefined)
      await cleaned
    },
  }
}

/** Whether one part of moderate size that opens without a password needs no separate file. */
function isSentAsItIs(
  { bytes, locked, pages }: DocumentFacts,
  { first, last }: PartRecord,
  { layout }: Limits,
): boolean {
  const limit = Math.min(partSettings.bytes, layout.pdfBytes)
  return locked === 'no' && first === 1 && last === pages && pages <= layout.pages && bytes <= limit
}
