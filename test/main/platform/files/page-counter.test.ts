import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, expect, test } from 'vitest'
import { createPageCounter } from '../../../../src/main/platform/files/page-counter.ts'
import { workerUrl } from '../../../fixtures/worker-url.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-pages-'))
const counter = createPageCounter(workerUrl('pdf-pages'))
afterAll(async () => {
  await counter.close()
  rmSync(folder, { recursive: true, force: true })
})

test('counts pages off the main thread, several files at once, and none for invalid data', async () => {
  const path = async (pages: number): Promise<string> => {
    const document = await PDFDocument.create()
    for (let page = 0; page < pages; page++) document.addPage()
    const file = join(folder, `${pages}.pdf`)
    writeFileSync(file, await document.save())
    return file
  }
  const broken = join(folder, 'broken.pdf')
  writeFileSync(broken, `%PDF-1.7\n${'x'.repeat(5000)}`)
  const files = [await path(1), await path(117), broken, join(folder, 'nowhere.pdf')]
  const counts = await Promise.all(files.map((file) => counter.count(file)))
  expect(counts).toEqual([1, 117, null, null])
})

test('a closed counter returns no result and no error', async () => {
  const closed = createPageCounter(workerUrl('pdf-pages'))
  await closed.close()
  expect(await closed.count(join(folder, '1.pdf'))).toBeNull()
})
