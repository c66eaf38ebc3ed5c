import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createDocumentExportWorker,
  type DocumentExportRequest,
} from '../../../../../src/main/domains/documents/exports/document-export-worker.ts'
import {
  plainOptions,
  type DocumentFormat,
  type ExportPage,
} from '../../../../../src/main/domains/documents/exports/document-export-types.ts'
import { bytesFile, pagesOf, testImage, imagesOf, sourceOf } from './made.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-desk-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const all = pagesOf(
  Array.from({ length: 7 }, (_, at) => [
    { content: `Words of page ${at + 1} 第${at + 1}页` },
    { content: '3. three\n4. four' },
    { content: '', label: 'image' },
  ]),
)

const begin = (format: DocumentFormat, to: string): DocumentExportRequest => {
  const { pages: _later, ...source } = sourceOf(all)
  return {
    document: 'begin',
    job: to,
    file: { format, source, options: plainOptions, to, name: 'report' },
  }
}
const pagesMessage = (job: string, pages: readonly ExportPage[], images = {}) =>
  ({ document: 'pages', job, pages, images }) as const

test('writes the same file from batches of pages with images as from all at once', async () => {
  const crop = join(folder, 'crop.png')
  await writeFile(crop, testImage(30, 20))
  const images = imagesOf({ p2b2: testImage(30, 20), p7b2: testImage(30, 20) })
  for (const format of ['html', 'json', 'txt', 'docx'] as const) {
    const worker = createDocumentExportWorker()
    const to = join(folder, format)
    await worker.answer(begin(format, to))
    await worker.answer(pagesMessage(to, all.slice(0, 3), { p2b2: crop }))
    await worker.answer(pagesMessage(to, all.slice(3, 4)))
    await worker.answer(pagesMessage(to, []))
    await worker.answer(pagesMessage(to, all.slice(4), { p7b2: crop }))
    const result = await worker.answer({ document: 'end', job: to })
    const whole = await bytesFile(sourceOf(all), format, { images })
    expect(result?.ending).toBe(format)
    if (format === 'docx') expect(result?.images).toBe(2)
    else expect(await readFile(to, 'utf8')).toBe(whole.toString('utf8'))
  }
})

test('writes two documents in parallel without interference', async () => {
  const worker = createDocumentExportWorker()
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  await Promise.all([worker.answer(begin('txt', one)), worker.answer(begin('txt', two))])
  await Promise.all([
    worker.answer(pagesMessage(one, all.slice(0, 1))),
    worker.answer(pagesMessage(two, all.slice(1, 2))),
  ])
  await Promise.all([one, two].map((job) => worker.answer({ document: 'end', job })))
  expect(await readFile(one, 'utf8')).toMatch(/Words of page 1(?!.*Words)/s)
  expect(await readFile(two, 'utf8')).toMatch(/^\fWords of page 2(?!.*Words)/s)
})

test('leaves no file when it is canceled at any time', async () => {
  const worker = createDocumentExportWorker()
  const to = join(folder, 'off')
  await worker.answer({ document: 'drop', job: to })
  await worker.answer(begin('md', to))
  await worker.answer({ document: 'drop', job: to })
  await worker.answer(begin('docx', to))
  await worker.answer(pagesMessage(to, all.slice(0, 2)))
  await worker.answer({ document: 'drop', job: to })
  expect(await readdir(folder)).toEqual([])
  await expect(worker.answer(pagesMessage(to, all))).rejects.toThrow('not started')
})

test('fails the pages and the end of an export whose file cannot be written', async () => {
  const worker = createDocumentExportWorker()
  const to = join(folder, 'no', 'such', 'folder')
  await worker.answer(begin('txt', to))
  await expect(worker.answer(pagesMessage(to, all))).rejects.toThrow('ENOENT')
  await expect(worker.answer({ document: 'end', job: to })).rejects.toThrow('ENOENT')
})
