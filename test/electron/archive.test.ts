import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { plainChat } from '../e2e/chat-service.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern | null = null
const wait = { timeout: 60_000 }
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

test('shows an opened archive before its import and rejects another ZIP with a message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-archive-'))
  lectern = await openElectronLectern()
  const { app, page, home } = lectern
  await chooseThisComputer(page)
  const { call } = bridgeOfWindow(home)
  await call('chats.create', { settings: plainChat, temporary: false })
  const path = join(folder, 'mine.lectern.zip')
  await app.command('dialog.answer', [path])
  await call('archive.export', { verify: false })
  await expect.poll(async () => (await call('archive.state', {})).job?.state, wait).toBe('done')
  await call('archive.forget', {})

  expect(await app.command('app.open-file', path)).toBe(true)
  await expect.poll(() => page.url(), wait).toMatch(/#\/settings\/storage$/)
  await page.getByTestId('archive-contents').waitFor(wait)
  expect((await call('archive.state', {})).job).toMatchObject({ what: 'inspect', imported: null })

  const other = join(folder, 'photos.zip')
  await writeFile(other, 'PK\u0003\u0004')
  await app.command('app.open-file', other)
  const dialog = await app.event<{ kind: string; message: string; detail: string }>(
    'dialog',
    ({ kind }) => kind === 'message',
  )
  expect(dialog.message).toBe('Not a Lectern archive')
  expect(dialog.detail).toContain('photos.zip')
  await app.command('dialog.answer', 0)
  await rm(folder, { recursive: true, force: true })
})
