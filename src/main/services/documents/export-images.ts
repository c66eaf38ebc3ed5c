import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block, Box } from '../../../shared/model/document.ts'
import { imageAddresses } from '../../documents/reading/image-links.ts'
import { placedImages } from '../../exports/documents/content/placeholders.ts'
import type { ExportPage } from '../../exports/documents/types.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { DocumentsService } from './types.ts'

export interface ExportImagesDeps {
  readonly store: Pick<Store, 'documents'>
  readonly files: Pick<MediaFiles, 'path'>
  readonly documents: Pick<DocumentsService, 'crop'>
}

/** Parameters for cropping images out of their pages. */
export interface CropOptions {
  readonly dpi: number
  /** Margin beyond the edges, as a fraction of the page. */
  readonly margin: number
}

/** Returns the files of the images of some pages by their keys. */
export type ExportImages = (
  pages: readonly ExportPage[],
  signal: AbortSignal,
) => Promise<Record<string, string>>

/**
 * Crops the figures and the images of other blocks out of their pages; uses remote images only if they are saved. An
 * image that is not available is omitted, its text is not. Crops are files in `folder`, which must exist.
 */
export function createExportImages(
  deps: ExportImagesDeps,
  {
    id,
    folder,
    cropOptions,
  }: { readonly id: string; readonly folder: string; readonly cropOptions: CropOptions },
): ExportImages {
  const savedImages = new Map(
    deps.store.documents.remoteImages(id).map(({ address, mediaId }) => [address, mediaId]),
  )
  let crops = 0

  const cut = async (blockId: string, box?: Box): Promise<string | null> => {
    const png = await deps.documents.crop({ id, blockId, ...cropOptions, box }).catch(() => null)
    if (!png) return null
    crops += 1
    const path = join(folder, `${crops}.png`)
    await writeFile(path, png, { mode: 0o600 })
    return path
  }
  const remote = async (address: string): Promise<string | null> => {
    const mediaId = savedImages.get(address) ?? null
    return mediaId === null ? null : deps.files.path(mediaId).catch(() => null)
  }
  return async (pages, signal) => {
    const files: Record<string, string> = {}
    const put = (key: string, path: string | null): void => {
      if (path !== null) files[key] = path
    }
    for (const { blocks } of pages) {
      const figures = blocks.filter(({ kind }) => kind === 'figure')
      const scale = scaleOf(blocks)
      for (const block of blocks) {
        signal.throwIfAborted()
        const text = block.edited ?? block.content
        const addresses = imageAddresses([{ kind: block.kind, content: text }])
        if (block.kind === 'figure')
          put(block.id, (block.box && (await cut(block.id))) ?? (await remote(addresses[0] ?? '')))
        else for (const address of addresses) put(address, await remote(address))
        for (const { key, numbers } of placedImages(text, block, figures)) {
          const box = boxOf(numbers, scale)
          if (box && !Object.hasOwn(files, key)) put(key, await cut(block.id, box))
        }
      }
    }
    return files
  }
}

/** Derives the page fraction per unit of the response from its blocks; null where none shows it. */
function scaleOf(blocks: readonly Block[]): readonly [x: number, y: number] | null {
  const sizes = blocks.flatMap(({ box, raw }) =>
    box && raw && raw[2] > 0 && raw[3] > 0 && box[2] < 1 && box[3] < 1 ? [{ box, raw }] : [],
  )
  // The block farthest from the origin is the most exact.
  const [last] = sizes.toSorted((a, b) => b.raw[2] * b.raw[3] - a.raw[2] * a.raw[3])
  return last ? [last.box[2] / last.raw[2], last.box[3] / last.raw[3]] : null
}

function boxOf(
  numbers: readonly number[],
  scale: readonly [x: number, y: number] | null,
): Box | null {
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers
  const fractions = numbers.every((number) => number >= 0 && number <= 1)
  const [x, y] = fractions ? [1, 1] : (scale ?? [0, 0])
  const within = (number: number): number => Math.min(1, Math.max(0, number))
  const box: Box = [within(left * x), within(top * y), within(right * x), within(bottom * y)]
  return box[2] > box[0] && box[3] > box[1] ? box : null
}
