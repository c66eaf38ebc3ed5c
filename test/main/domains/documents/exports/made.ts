import { createCanvas } from '@napi-rs/canvas'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  plainOptions,
  type DocumentFormat,
  type DocumentOptions,
  type ExportPage,
  type ExportSource,
  type ImageLoader,
  type WrittenExport,
} from '../../../../../src/main/domains/documents/exports/document-export-types.ts'
import { writeDocument } from '../../../../../src/main/domains/documents/exports/write-export.ts'
import { blockKind } from '../../../../../src/main/domains/documents/worker/reading/merge.ts'
import type { Block } from '../../../../../src/shared/model/document.ts'

/** Block fields set by a test; the others have defaults. */
export type BlockFields = Pick<Block, 'content'> & Partial<Block>

/** Creates pages with these blocks, with IDs `p<page>b<order>`. */
export function pagesOf(pages: readonly (readonly BlockFields[])[]): readonly ExportPage[] {
  return pages.map((blocks, index): ExportPage => ({
    page: index + 1,
    state: 'returned',
    size: { width: 595, height: 842 },
    raster: { width: 1240, height: 1754 },
    error: null,
    version: 1,
    blocks: blocks.map((fields, order): Block => {
      const label = fields.label ?? 'text'
      return {
        id: `p${index + 1}b${order}`,
        page: index + 1,
        order,
        kind: blockKind(label, fields.nativeLabel ?? null),
        nativeLabel: null,
        edited: null,
        box: [0.1, 0.1, 0.9, 0.2],
        raw: [124, 175, 1116, 350],
        guessed: false,
        ...fields,
        label,
      }
    }),
  }))
}

/** Creates a document of these pages, parsed in one version. */
export function sourceOf(
  pages: readonly ExportPage[],
  change: Partial<ExportSource> = {},
): ExportSource {
  const failed = pages.filter(({ state }) => state === 'failed').length
  return {
    title: 'A report',
    name: 'report.pdf',
    mime: 'application/pdf',
    sha256: 'ab'.repeat(32),
    pageCount: pages.length,
    versions: [
      {
        number: 1,
        options: { pages: '', crops: true, layoutPictures: false },
        accountName: 'Work',
        engine: 'gen-ocr',
        state: failed > 0 ? 'partial' : 'done',
        counts: {
          asked: pages.length,
          returned: pages.length - failed,
          failed,
          waiting: 0,
          cancelled: 0,
        },
        calls: 1,
        createdAt: Date.UTC(2026, 4, 6, 7, 8),
        endedAt: Date.UTC(2026, 4, 6, 7, 9),
      },
    ],
    pages,
    appVersion: '1.2.3',
    language: 'en',
    ...change,
  }
}

/** Creates a single-color image of this size. */
export function testImage(width: number, height: number, type: 'png' | 'jpeg' = 'png'): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#2266aa'
  context.fillRect(0, 0, width, height)
  return type === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg')
}

/** Image list without any crops. */
export const noImages: ImageLoader = () => Promise.resolve(null)

/** Image list of in-memory crops by key. */
export const imagesOf =
  (all: Readonly<Record<string, Uint8Array>>): ImageLoader =>
  (key) => {
    const bytes = Object.hasOwn(all, key) ? all[key] : undefined
    return Promise.resolve(bytes ? { bytes } : null)
  }

/** Options of a test export. */
export interface WriteOptions {
  readonly options?: Partial<DocumentOptions>
  readonly images?: ImageLoader
}

/** Writes a document to a separate folder, passes the result on, and removes the folder. */
export async function written<Result>(
  source: ExportSource,
  format: DocumentFormat,
  inspect: (result: WrittenExport, main: string) => Promise<Result> | Result,
  { options = {}, images: pictures = noImages }: WriteOptions = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'document-export-'))
  try {
    const to = join(folder, format === 'csv' || format === 'md' ? 'out' : `out.${format}`)
    const result = await writeDocument({
      source,
      format,
      options: { ...plainOptions, ...options },
      images: pictures,
      to,
      name: 'report',
    })
    return await inspect(result, result.files[0] ?? '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The main file as text. */
export const textFile = (source: ExportSource, format: DocumentFormat, wanted?: WriteOptions) =>
  written(source, format, (_result, main) => readFile(main, 'utf8'), wanted)

/** The main file as bytes. */
export const bytesFile = (source: ExportSource, format: DocumentFormat, wanted?: WriteOptions) =>
  written(source, format, (_result, main) => readFile(main), wanted)
