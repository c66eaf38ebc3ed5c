import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppEvent } from '../../../../src/shared/contract/events.ts'
import type { ErrorCode, Reply } from '../../../../src/shared/contract/reply.ts'
import { importFailedMessage } from '../../../../src/main/hosts/support/dialogs.ts'
import { filesOf, linkIn, openFiles } from '../../../../src/main/hosts/support/opened-files.ts'
import { notedApp } from '../loopback/fixture.ts'

/** Reply of the app to the import of a file as a meeting. */
const meeting = { kind: 'meeting', itemId: 'new', known: false, error: null }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-opened-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('names and logs a file that cannot be imported, and imports the others', async () => {
  const names = ['good.wav', 'damaged.wav', 'gone.wav', 'busy.wav']
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, 'RIFF')
  rmSync(paths[2] ?? '')
  chmodSync(paths[0] ?? '', 0o600)
  const app = notedApp()
  const failure = (code: 'DAMAGED_FILE' | 'READ_ONLY'): Reply<never> => ({
    ok: false,
    error: { code, message: '', retriable: false, at: 0 },
  })
  app.answer = async (request) => {
    const name = request.headers.get('x-lectern-name')
    // As in the real intake: the body is read, and a missing file fails it.
    await request.text()
    if (name === 'damaged.wav') return Response.json(failure('DAMAGED_FILE'))
    return Response.json({ ok: true, data: { media: { id: name } } })
  }
  const request = app.request.bind(app)
  app.request = async (connection, route, payload) =>
    JSON.stringify(payload).includes('busy')
      ? failure('READ_ONLY')
      : { ...(await request(connection, route, payload)), data: meeting }
  const imported: string[] = []
  const lines: unknown[] = []
  const note = (message: string, fields?: object): void => void lines.push({ message, ...fields })
  const refused = await openFiles(paths, {
    app,
    connection: { id: 'host', push() {} },
    log: { info: note, warn: note, error: note },
    onImported: (path) => void imported.push(path),
  })
  expect(imported).toEqual([join(folder, 'good.wav')])
  expect(refused.map(({ name }) => name)).toEqual(['damaged.wav', 'gone.wav', 'busy.wav'])
  const message = 'opened file was not imported'
  for (const code of ['DAMAGED_FILE', 'FILE_UNREADABLE', 'READ_ONLY'])
    expect(lines).toContainEqual({ message, code })
  expect(app.requests).toMatchObject([
    { route: 'library.import', payload: { mediaId: 'good.wav', title: 'good' } },
  ])
})

test.each([
  [
    { ...meeting, kind: 'document' },
    { type: 'page.link', link: { kind: 'document', id: 'new', place: null } },
  ],
  [meeting, { type: 'page.recording', id: 'new' }],
  [
    { ...meeting, kind: 'conversation' },
    { type: 'page.open', conversationId: 'new' },
  ],
])('names $kind after its file, and shows it', async (item, shows) => {
  const path = join(folder, 'Plan 2026.pdf')
  writeFileSync(path, '%PDF-1.4')
  const app = notedApp()
  app.answer = async (request) => {
    await request.text()
    return Response.json({ ok: true, data: { media: { id: 'media' } } })
  }
  const request = app.request.bind(app)
  app.request = async (connection, name, payload) => ({
    ...(await request(connection, name, payload)),
    data: item,
  })
  const taken: AppEvent[] = []
  const quiet = { info() {}, warn() {}, error() {} }
  const refused = await openFiles([path], {
    app,
    connection: { id: 'host', push() {} },
    log: quiet,
    onTaken: (event) => void taken.push(event),
  })
  expect(refused).toEqual([])
  expect(app.requests).toMatchObject([
    { route: 'library.import', payload: { mediaId: 'media', title: 'Plan 2026' } },
  ])
  expect(taken).toEqual([shows])
})

test('an archive opens its preview; its refusal has its own message', async () => {
  const paths = ['mine.lectern.zip', 'other.zip', 'third.zip']
  const failure = (code: ErrorCode): Reply<never> => ({
    ok: false,
    error: { code, message: '', retriable: false, at: 0 },
  })
  const app = notedApp()
  app.takeFile = async (path) => {
    if (path === 'other.zip') return failure('ARCHIVE_REFUSED')
    if (path === 'third.zip') return failure('WORK_UNDER_WAY')
    return { ok: true, data: { media: null } }
  }
  const taken: AppEvent[] = []
  const refused = await openFiles(paths, {
    app,
    connection: { id: 'host', push() {} },
    log: { info() {}, warn() {}, error() {} },
    onTaken: (event) => void taken.push(event),
  })
  expect(taken).toEqual([{ type: 'page.archive' }])
  expect(app.requests).toEqual([])
  const [other, third] = refused.map((file) => importFailedMessage('en', [file]))
  expect(other).toMatchObject({ title: 'Not a Lectern archive' })
  expect(other?.content).toContain('other.zip')
  expect(third).toMatchObject({ title: 'Another archive is being processed' })
  expect(importFailedMessage('en', refused).title).toBe('Some files couldn’t be imported')
})

test('opens files of known types and finds one link in a command line', () => {
  const pdf = join(folder, 'a.PDF')
  writeFileSync(pdf, '')
  const args = ['--flag', 'a.PDF', 'missing.pdf', 'a.exe', 'lectern://open/chat/abc']
  // A missing file is not skipped silently: opening it reports the failure.
  expect(filesOf(args, folder)).toEqual([pdf, join(folder, 'missing.pdf')])
  expect(linkIn(args)).toBe('lectern://open/chat/abc')
  expect(linkIn(['LECTERN:anything'])).toBe('LECTERN:anything')
  expect(linkIn(['a.pdf', '--lectern:x'])).toBeNull()
})

test('opens files passed as URLs, but not bad URLs or those of another computer', () => {
  const audioPath = join(folder, 'Übung 50% #1.wav')
  writeFileSync(audioPath, '')
  const { href } = pathToFileURL(audioPath)
  expect(href).toMatch(/^file:\/\/\/.*%20/)
  expect(filesOf([href, href.replace('file:///', 'FILE://localhost/')], '/')).toEqual([
    audioPath,
    audioPath,
  ])
  const bad = [
    href.replace('file:///', 'file://server/'),
    href.replace('.wav', '%00.wav'),
    href.replace('.wav', '%E0%A4%A.wav'),
    href.replace('.wav', '%2Fx.wav'),
    'file://[/a.wav',
    'file:',
    'https://server/a.wav',
  ]
  expect(filesOf(bad, folder)).toEqual([])
})

test('keeps an absolute path, on Windows with its drive', () => {
  const audioPath = join(folder, 'drive.wav')
  writeFileSync(audioPath, '')
  expect(filesOf([audioPath], resolve('/'))).toEqual([audioPath])
})
