import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PreloadTransport } from '../../src/shared/contract/transport.ts'
import { plainChat } from '../e2e/chat-service.ts'
import { sineWav } from '../fixtures/wav.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { memoryOf } from './memory.ts'
import { sparseWav } from './sparse-wav.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern
let folder: string
const wait = { timeout: 90_000 }
const gigabytes = 3

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-files-'))
  lectern = await openElectronLectern()
  await chooseThisComputer(lectern.page)
  await lectern.page.evaluate(() => {
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', id: 'large', hidden: true })
    document.body.append(input)
  })
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the size in bytes of all files in the data folder except those of the database. */
async function stored(): Promise<number> {
  const entries = await readdir(lectern.home, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter(
      (entry) =>
        entry.isFile() && !/library\.db|engine|standin/.test(join(entry.parentPath, entry.name)),
    )
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Drags a file from disk over the window and drops it. */
async function dropFromDisk(path: string): Promise<void> {
  const { page } = lectern
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
  await session.detach()
}

const titles = async (): Promise<readonly string[]> =>
  (await bridgeOfWindow(lectern.home).call('library.list', {})).items.map(({ title }) => title)

test(`intake of a file of ${gigabytes} GB that is stopped: within a second, and nothing is left`, async () => {
  const { page } = lectern
  const file = join(folder, 'stopped.wav')
  await sparseWav(file, gigabytes * 1024 ** 3)
  await page.setInputFiles('#large', file)
  const before = await stored()
  const stopped = await page.evaluate(async () => {
    const { takeFile } = Reflect.get(window, 'lectern') as PreloadTransport
    const chosen = document.querySelector<HTMLInputElement>('#large')?.files?.[0]
    if (!chosen) throw new Error('no file')
    let began = (): void => {}
    const progress = new Promise<void>((resolve) => (began = resolve))
    const { done, stop } = takeFile(chosen, 'intake', () => began())
    await progress
    const at = performance.now()
    stop()
    const reply = await done
    return { code: reply.ok ? 'taken' : reply.error.code, ms: performance.now() - at }
  })
  console.log(`stopped after ${stopped.ms.toFixed(0)} ms`)
  expect(stopped.code).toBe('CANCELLED')
  expect(stopped.ms).toBeLessThan(1000)
  await expect.poll(stored, { timeout: 5000 }).toBeLessThan(before + 1024 ** 2)
})

test(`intake of a file of ${gigabytes} GB: by its path, with progress, without holding it`, async () => {
  const { page, app } = lectern
  // One-time allocations for the first megabytes do not count as growth caused by a large file.
  const { intake } = bridgeOfWindow(lectern.home)
  await intake('first.wav', sineWav({ seconds: 60, hz: 220 }))
  const memory = memoryOf(app.process.pid ?? 0)
  const taken = await page.evaluate(async () => {
    const { takeFile } = Reflect.get(window, 'lectern') as PreloadTransport
    const chosen = document.querySelector<HTMLInputElement>('#large')?.files?.[0]
    if (!chosen) throw new Error('no file')
    const fractions: number[] = []
    const reply = await takeFile(chosen, 'intake', (fraction) => void fractions.push(fraction)).done
    return { reply, fractions }
  })
  const added = memory.added()
  console.log(
    `${gigabytes} GB: ${(added / 2 ** 20).toFixed(1)} MB of memory added (${memory.parts()}), ${taken.fractions.length} progress events`,
  )
  expect(taken.reply).toMatchObject({ ok: true, data: { media: { bytes: gigabytes * 1024 ** 3 } } })
  expect(taken.fractions.length).toBeGreaterThan(3)
  expect(taken.fractions).toEqual(taken.fractions.toSorted((a, b) => a - b))
  expect(added).toBeLessThan(64 * 2 ** 20)
})

test('drop: imports a file on disk by its path', async () => {
  const file = join(folder, 'dropped from disk.wav')
  await writeFile(file, sineWav({ seconds: 1, hz: 660 }))
  await dropFromDisk(file)
  await expect.poll(titles, wait).toContain('dropped from disk')
})

test('PDF: draws a document and finds its words', async () => {
  const { page } = lectern
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  pdf
    .addPage([595, 842])
    .drawText('The lighthouse keeper writes a letter.', { x: 72, y: 700, font })
  const file = join(folder, 'keeper.pdf')
  await writeFile(file, await pdf.save())
  await dropFromDisk(file)
  await page.getByTestId('document-reader').waitFor(wait)
  await page.locator('canvas').first().waitFor(wait)
  const drawn = (): Promise<boolean> =>
    page.evaluate(() =>
      [...document.querySelectorAll('canvas')].some((canvas) => {
        const { data } = canvas
          .getContext('2d')
          ?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
        return data.some((value, at) => at % 4 === 0 && value < 80 && (data[at + 3] ?? 0) > 0)
      }),
    )
  await expect.poll(drawn, wait).toBe(true)
})

test('print: prints a chat to a PDF in a separate window that closes afterwards', async () => {
  const { call } = bridgeOfWindow(lectern.home)
  const { id } = await call('chats.create', { settings: plainChat, temporary: false })
  const reply = await call('chats.export', {
    id,
    also: [],
    format: 'pdf',
    steps: true,
    language: 'en',
  })
  expect(reply.name).toMatch(/\.pdf$/)
  const { mediaBase } = await call('app.info', {})
  const start = await lectern.page.evaluate(
    async (url) => (await (await fetch(url)).text()).slice(0, 5),
    mediaBase + reply.mediaId,
  )
  expect(start).toBe('%PDF-')
  expect(await lectern.windows()).toHaveLength(1)
})
