import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentWorker } from '../../../../../src/main/domains/documents/worker/work.ts'
import { AppError } from '../../../../../src/main/errors.ts'

/** A document as the tests' worker and server read it: the description in a PDF or a part of one. */
export interface Paper {
  readonly first: number
  readonly last: number
  readonly password: string | null
  readonly raster: boolean
  /** Size in bytes to which it is padded. */
  readonly bytes: number
}

const magic = '%PDF-1.7\n'

/** The bytes of a paper: a PDF according to its first bytes. */
export function paperBytes(paper: Partial<Paper> & { readonly last: number }): Buffer {
  const whole: Paper = { first: 1, password: null, raster: false, bytes: 0, ...paper }
  const text = `${magic}${JSON.stringify(whole)}\n`
  return Buffer.from(text.padEnd(whole.bytes, ' '))
}

/** Parses the bytes of a paper. */
export function readPaper(bytes: Uint8Array): Paper {
  const [, json = ''] = Buffer.from(bytes).toString('utf8').split('\n')
  return JSON.parse(json) as Paper
}

/** The tests' worker with controls for tests. */
export interface PaperWorker extends DocumentWorker {
  /** Log of all requests, in short form. */
  readonly requests: string[]
  /** Bytes of one page in a part. */
  pageBytes: number
  /** Error thrown by the next inspection, writing or drawing. */
  trouble: AppError | null
}

/** Papers are neither office files nor annotated. */
const notForPapers = (): Promise<never> => Promise.reject(new Error('a paper is a plain PDF'))

/** A worker that reads and writes papers. */
export function paperWorker(): PaperWorker {
  const requests: string[] = []
  const open = async (path: string, password: string | null): Promise<Paper> => {
    const { trouble } = worker
    worker.trouble = null
    if (trouble) throw trouble
    const paper = readPaper(await readFile(path))
    if (paper.password !== null && password !== null && paper.password !== password)
      throw new AppError('REFUSED', 'Another password', { params: { password: 'wrong' } })
    return paper
  }
  const worker: PaperWorker = {
    requests,
    pageBytes: 0,
    trouble: null,
    async facts(path, password) {
      requests.push('facts')
      const { last, password: own } = await open(path, password)
      const bytes = (await stat(path)).size
      const shut = own !== null && password === null
      const pages = shut ? 0 : last
      return {
        mime: 'application/pdf',
        bytes,
        pages,
        sizes: Array.from({ length: pages }, () => ({ width: 600, height: 800 })),
        locked: own === null ? 'no' : 'user',
        textChars: Array.from({ length: pages }, () => 100),
      }
    },
    textFacts: notForPapers,
    textPages: notForPapers,
    async split({ path, password, first, last, folder, name, maxBytes, raster }) {
      requests.push(`split ${first}-${last}${raster ? ' raster' : ''}`)
      await open(path, password)
      const pages = last - first + 1
      const each = raster ? 10 : worker.pageBytes
      const maxPages = each === 0 ? pages : Math.max(1, Math.floor(maxBytes / each))
      const parts = []
      for (let from = first; from <= last; from += maxPages) {
        const to = Math.min(last, from + maxPages - 1)
        const bytes = paperBytes({ first: from, last: to, raster, bytes: each * (to - from + 1) })
        const file = join(folder, `${name}-${from}.pdf`)
        await writeFile(file, bytes)
        parts.push({
          first: from,
          last: to,
          path: file,
          bytes: bytes.length,
          mime: 'application/pdf' as const,
          drawn: raster ? { dpi: 200, quality: 80 } : null,
        })
      }
      return parts
    },
    async annotate({ path, to }) {
      const bytes = await readFile(path)
      await writeFile(to, bytes)
      return bytes.length
    },
    async convert({ to }) {
      requests.push('convert')
      await writeFile(to, tinyPng)
      const bytes = tinyPng.length
      const made = { path: to, bytes, mime: 'image/png' as const, from: 'webp' }
      return { ...made, width: 1, height: 1, scale: 1, quality: null }
    },
    async pageImage({ path, password, page, width }) {
      requests.push(`picture ${page} ${width}`)
      await open(path, password)
      return new Uint8Array(Buffer.from(`\xff\xd8\xff\xe0 page ${page} at ${width}`, 'latin1'))
    },
    async crop({ path, password, page, box }) {
      requests.push(`crop ${page} ${box.map((side) => side.toFixed(3)).join(' ')}`)
      await open(path, password)
      return new Uint8Array(tinyPng)
    },
    async close() {},
  }
  return worker
}

/** A PNG of one pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
