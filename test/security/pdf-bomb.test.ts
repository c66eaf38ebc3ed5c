import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDocumentWork } from '../../src/main/domains/documents/worker/work.ts'
import { forkedProcess } from '../../src/system/own-process/fork.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import { eventually } from '../fixtures/eventually.ts'
import { pdfBomb } from '../fixtures/pdf-bomb.ts'
import { watchTree } from '../fixtures/tree-memory.ts'
import { outline, readAll, startPages } from '../local-service/fixtures/pages.ts'
import { modelsDir } from '../local-service/fixtures/service.ts'
import { workerUrl } from '../fixtures/worker-url.ts'

// Attacks with size: files of a kilobyte that expand to gigabytes.

const bomb = pdfBomb(1500)

let lectern: TestApp
let memory: ReturnType<typeof watchTree>
beforeEach(async () => {
  lectern = await testApp()
  memory = watchTree()
})
afterEach(async () => {
  memory.stop()
  await lectern.remove()
})

const options = { pages: '', crops: false, layoutPictures: false } as const

async function taken(name: string, bytes: Uint8Array): Promise<string> {
  const saved = await lectern.intake(name, bytes)
  if (!saved.ok) throw new Error(saved.error.message)
  return saved.data.media.id
}

async function letter(): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  made.addPage([595, 842]).drawText('An ordinary letter', { x: 60, y: 760, size: 14, font })
  return made.save()
}

/** Reasons for rejecting a file: the exceeded limit. On a busy machine, it may be the time. */
const tooMuch = {
  ok: false,
  error: { code: 'DAMAGED_FILE', params: { problem: expect.stringMatching(/^(?:memory|time)$/) } },
}

test('rejects a PDF that expands to gigabytes with a reason, at low cost, and reads others', async () => {
  expect(bomb.length).toBeLessThan(5000)
  const mediaId = await taken('Bomb.pdf', bomb)
  const made = await lectern.raw('documents.create', { mediaId })
  // Inspecting a page has little time: then the page itself reports it.
  const id = made.ok ? (made.data as { document: { id: string } }).document.id : null
  expect(
    id === null ? made : await lectern.raw('documents.image', { id, page: 1, width: 1240 }),
  ).toMatchObject(tooMuch)
  const { document } = await lectern.call('documents.create', {
    mediaId: await taken('Letter.pdf', await letter()),
  })
  await lectern.call('documents.parse', { id: document.id, options, fresh: false })
  await eventually(async () => {
    const { versions } = (await lectern.call('documents.get', { id: document.id })).document
    expect(versions[0]?.state).toBe('done')
  })
  expect(memory.grewBy()).toBeLessThan(1_500_000_000)
})

test('ends an expanding PDF in a separate on-device process and parses the next one', async () => {
  const ownProcess = workerUrl('own-process')
  const engine = startPages(modelsDir, {
    openProcess: forkedProcess(ownProcess),
    maxGrowth: 300_000_000,
  })
  try {
    await expect(readAll(engine, bomb)).rejects.toThrowError(
      expect.objectContaining({
        trouble: 'damaged',
        message: 'The images need too much memory',
      }),
    )
    expect(memory.grewBy()).toBeLessThan(900_000_000)
    expect(outline((await readAll(engine, await letter()))[0])).toEqual([
      'text: An ordinary letter',
    ])
  } finally {
    await engine.stop()
  }
})

test('runs requests queued behind an expanding PDF in the next process', async () => {
  const work = createDocumentWork(workerUrl('documents'), forkedProcess(workerUrl('own-process')))
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bomb-'))
  try {
    const [large, small] = [join(folder, 'bomb.pdf'), join(folder, 'letter.pdf')]
    await Promise.all([writeFile(large, bomb), writeFile(small, await letter())])
    const ended = work.pageImage({ path: large, password: null, page: 1, width: 160 })
    const behind = Promise.all([
      work.pageImage({ path: small, password: null, page: 1, width: 160 }),
      work.facts(small, null),
    ])
    await expect(ended).rejects.toMatchObject(tooMuch.error)
    const [image, facts] = await behind
    expect(image.length).toBeGreaterThan(500)
    expect(facts).toMatchObject({ pages: 1 })
  } finally {
    await work.close()
    await rm(folder, { recursive: true, force: true })
  }
})
