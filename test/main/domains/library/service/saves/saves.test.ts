import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileHost, SaveDialogOptions } from '../../../../../../src/main/host.ts'
import { answerWith, refuse } from '../../../../../../src/main/platform/files/media-response.ts'
import {
  createSaves,
  type Saves,
} from '../../../../../../src/main/domains/library/service/saves/saves.ts'
import { markFromWeb } from '../../../../../../src/main/domains/library/service/saves/web-mark.ts'
import { AppError } from '../../../../../../src/main/errors.ts'

const content = 'a'.repeat(26)
const audio = Buffer.from('RIFF, and the rest of a recording')
let folder = ''
let home = ''
/** Calls received by the host. */
let seen: { readonly name: string; readonly args: readonly unknown[] }[] = []
/** Path that the user chooses. */
let chosen: string | null = null
/** Whether Lectern wrote the stored file as a page. */
let ownPage = false
/** Whether it is from a provider. */
let received = false
let platform = 'linux'

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-saves-'))
  home = join(folder, 'data')
  await mkdir(home)
  await writeFile(join(home, 'kept'), audio, { mode: 0o600 })
  seen = []
  ownPage = false
  received = false
  platform = 'linux'
  chosen = join(folder, 'chosen.wav')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Awaited by a slow response before each further chunk. */
let nextSegment: () => Promise<void> = async () => {}
const slowChunks = 8
const slowBytes = slowChunks * 256 * 1024

const note =
  (name: string) =>
  async (...args: unknown[]): Promise<void> =>
    void seen.push({ name, args })
const host: FileHost = {
  async saveDialog(request: SaveDialogOptions, connectionId: string) {
    seen.push({ name: 'saveDialog', args: [request, connectionId] })
    return chosen
  },
  rememberFolder: note('rememberFolder'),
  openDialog: async () => null,
  showInFolder: note('showInFolder'),
  startDrag: note('startDrag'),
}
/** Creates saves over one stored file, and the audio of one meeting that exists only as a response. */
function build(fileHost?: FileHost): Saves {
  let count = 0
  return createSaves({
    home,
    ids: () => `id${(count += 1)}`,
    userFileMode: 0o644,
    platform,
    fileHost,
    files: {
      isOwnPage: (id) => ownPage && id === content,
      isReceived: (id) => received && id === content,
      importedName: () => null,
      async path(id) {
        if (id !== content) throw new AppError('NOT_FOUND', 'There is no such file')
        return join(home, 'kept')
      },
    },
    async media(request) {
      const name = new URL(request.url).pathname.slice('/media/'.length)
      if (name === 'meeting-slow')
        return answerWith(request, {
          tag: name,
          mime: 'audio/wav',
          name: 'slow.wav',
          size: slowBytes,
          open: async () => ({
            async read(into, offset, length) {
              await nextSegment()
              into.fill(7, offset, offset + length)
              return { bytesRead: length }
            },
            close: async () => {},
          }),
        })
      if (name !== content && name !== 'meeting-m1') return refuse(404, 'NOT_FOUND')
      return answerWith(request, {
        tag: name,
        mime: 'audio/wav',
        name: 'its stored name.wav',
        size: audio.length,
        open: async () => ({
          async read(into, offset, length, position) {
            return { bytesRead: audio.copy(into, offset, position, position + length) }
          },
          close: async () => {},
        }),
      })
    },
  })
}

describe('saving with dialogs', () => {
  test.each([content, 'meeting-m1'])('copies %s to the path the user chose', async (media) => {
    const saves = build(host)
    const outcome = await saves.save({ media, name: 'Weekly: review.wav' }, 'window-1')
    expect(outcome).toEqual({ state: 'saved', id: 'id1', name: 'chosen.wav' })
    expect(seen).toEqual([
      {
        name: 'saveDialog',
        args: [{ suggestedName: 'Weekly_ review.wav', extension: 'wav', use: 'audio' }, 'window-1'],
      },
      { name: 'rememberFolder', args: [join(folder, 'chosen.wav'), 'audio'] },
    ])
    expect(await readFile(join(folder, 'chosen.wav'))).toEqual(audio)
    if (process.platform !== 'win32')
      expect((await stat(join(folder, 'chosen.wav'))).mode & 0o777).toBe(0o644)
  })

  test('does not remember the folder of a copy that could not be saved', async () => {
    chosen = join(folder, 'no such folder', 'chosen.wav')
    await expect(build(host).save({ media: content, name: 'a.wav' }, 'w')).rejects.toMatchObject({
      code: 'SAVE_FAILED',
      params: { problem: 'gone' },
    })
    expect(seen.map(({ name }) => name)).toEqual(['saveDialog'])
  })

  test('saves only pages that Lectern wrote as HTML', async () => {
    const saves = build(host)
    const requests: unknown[] = []
    for (const own of [false, true]) {
      ownPage = own
      await saves.save({ media: content, name: 'Chat.html' }, 'w')
      requests.push(seen.findLast(({ name }) => name === 'saveDialog')?.args[0])
    }
    expect(requests).toEqual([
      { suggestedName: 'Chat.html.wav', extension: 'wav', use: 'audio' },
      { suggestedName: 'Chat.html', extension: 'html', use: 'document' },
    ])
  })

  test('writes nothing if the dialog is closed, and opens no dialog for a missing file', async () => {
    const saves = build(host)
    chosen = null
    expect(await saves.save({ media: content, name: 'a.wav' }, 'w')).toEqual({ state: 'cancelled' })
    expect(await readdir(folder)).toEqual(['data'])
    await expect(saves.save({ media: 'meeting-gone', name: 'a.wav' }, 'w')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(seen.length).toBe(1)
  })

  describe('a slow save', () => {
    const slow = { media: 'meeting-slow', name: 'slow.wav' }
    beforeEach(() => {
      nextSegment = () => wait(200)
      chosen = join(folder, 'chosen.wav')
    })
    afterEach(() => void (nextSegment = async () => {}))

    test('reports progress and completes', async () => {
      const saves = build(host)
      const reported: [string, number][] = []
      const { signal } = new AbortController()
      const onProgress = (name: string, fraction: number): void =>
        void reported.push([name, fraction])
      const outcome = await saves.save(slow, 'w', { signal, onProgress })
      expect(outcome).toMatchObject({ state: 'saved', name: 'chosen.wav' })
      expect((await stat(join(folder, 'chosen.wav'))).size).toBe(slowBytes)
      const fractions = reported.map(([, fraction]) => fraction)
      expect(fractions.length).toBeGreaterThan(1)
      expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
      expect(new Set(reported.map(([name]) => name))).toEqual(new Set(['chosen.wav']))
    })

    test.each(['the user', 'quitting the app'])(
      'stopped by %s, leaves no partial file and preserves the file it would have replaced',
      async (who) => {
        const saves = build(host)
        await writeFile(join(folder, 'chosen.wav'), 'before')
        const stop = new AbortController()
        const begun = Promise.withResolvers<void>()
        const watch = { signal: stop.signal, onProgress: () => begun.resolve() }
        const outcome = saves.save(slow, 'w', watch)
        await begun.promise
        expect((await readdir(folder)).length).toBe(3)
        if (who === 'the user') stop.abort()
        else await saves.close()
        expect(await outcome).toEqual({ state: 'cancelled' })
        expect((await readdir(folder)).toSorted()).toEqual(['chosen.wav', 'data'])
        expect(await readFile(join(folder, 'chosen.wav'), 'utf8')).toBe('before')
      },
    )

    test('leaves no partial file if it fails midway', async () => {
      const saves = build(host)
      let chunkCount = 0
      nextSegment = async () => {
        if ((chunkCount += 1) > 3) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      }
      await expect(saves.save(slow, 'w')).rejects.toMatchObject({ code: 'DISK_FULL' })
      expect(await readdir(folder)).toEqual(['data'])
    })
  })

  test('adds a missing extension, unless that path is another file', async () => {
    const saves = build(host)
    chosen = join(folder, 'talk')
    expect(await saves.save({ media: content, name: 'a.wav' }, 'w')).toMatchObject({
      name: 'talk.wav',
    })
    expect(await saves.save({ media: content, name: 'a.wav' }, 'w')).toMatchObject({ name: 'talk' })
  })

  test('shows a saved copy by its ID, never by a path; reports a moved one as missing', async () => {
    const saves = build(host)
    const outcome = await saves.save({ media: content, name: 'a.wav' }, 'w')
    if (outcome.state !== 'saved') throw new Error('not saved')
    await saves.reveal({ saved: outcome.id })
    expect(seen.at(-1)).toEqual({ name: 'showInFolder', args: [join(folder, 'chosen.wav')] })
    for (const strange of ['id99', join(folder, 'chosen.wav'), '../chosen.wav', '__proto__'])
      await expect(saves.reveal({ saved: strange })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await rm(join(folder, 'chosen.wav'))
    await expect(saves.reveal({ saved: outcome.id })).rejects.toMatchObject({
      code: 'FILE_MISSING',
    })
  })

  test('shows Library files in place: stored content, and the first part of a recording', async () => {
    const saves = build(host)
    await saves.reveal({ media: content })
    expect(seen.at(-1)?.args).toEqual([join(home, 'kept')])
    await mkdir(join(home, 'meetings', 'm1'), { recursive: true })
    await writeFile(join(home, 'meetings', 'm1', 'part-0002.wav'), audio)
    await writeFile(join(home, 'meetings', 'm1', 'part-0001.wav'), audio)
    await saves.reveal({ media: 'meeting-m1' })
    expect(seen.at(-1)?.args).toEqual([join(home, 'meetings', 'm1', 'part-0001.wav')])
    await expect(saves.reveal({ media: 'meeting-m2' })).rejects.toMatchObject({
      code: 'FILE_MISSING',
    })
  })
})

describe('dragging', () => {
  const dragged = (): string => String(seen.findLast(({ name }) => name === 'startDrag')?.args[0])

  test('drags a well-named copy, not the stored file, and reuses it until it is moved', async () => {
    const saves = build(host)
    const request = { media: content, name: 'con.wav' }
    expect(await saves.drag(request, 'window-1')).toEqual({ state: 'started' })
    const path = dragged()
    expect(seen.at(-1)?.args).toEqual([path, 'window-1'])
    expect(basename(path)).toBe('con_.wav')
    expect(await readFile(path)).toEqual(audio)
    // Programs that receive the file may change it.
    await writeFile(path, 'changed')
    expect(await readFile(join(home, 'kept'))).toEqual(audio)
    await saves.drag(request, 'window-1')
    expect(dragged()).toBe(path)
    await rm(path)
    await saves.drag(request, 'window-1')
    expect(dragged()).not.toBe(path)
    expect(await readFile(dragged())).toEqual(audio)
  })

  test('leaves nothing behind at the end, nor from an earlier run', async () => {
    await mkdir(join(home, 'drag-out', 'old'), { recursive: true })
    await writeFile(join(home, 'drag-out', 'old', 'left.wav'), audio)
    const saves = build(host)
    await saves.drag({ media: 'meeting-m1', name: 'a.wav' }, 'w')
    expect(existsSync(join(home, 'drag-out', 'old'))).toBe(false)
    expect(existsSync(dragged())).toBe(true)
    await saves.close()
    expect(existsSync(join(home, 'drag-out'))).toBe(false)
  })

  test('keeps the copies of the last fifty', async () => {
    const saves = build(host)
    await saves.drag({ media: content, name: 'first.wav' }, 'w')
    const first = dragged()
    for (let n = 0; n < 50; n += 1) await saves.drag({ media: content, name: `${n}.wav` }, 'w')
    await expect.poll(() => existsSync(dirname(first))).toBe(false)
    expect(existsSync(dragged())).toBe(true)
  })

  test('starts nothing for a missing file, and works once it exists', async () => {
    const saves = build(host)
    await expect(saves.drag({ media: 'meeting-gone', name: 'a' }, 'w')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(seen).toEqual([])
  })
})

describe('saving without dialogs', () => {
  test('the browser downloads under the saved name, with Range support', async () => {
    const saves = build()
    const outcome = await saves.save({ media: content, name: '例会 "a".exe' }, 'tab')
    expect(outcome).toEqual({ state: 'download', media: 'save-id1' })
    const ask = (name: string, headers = {}): Promise<Response> =>
      saves.respond(new Request(`http://127.0.0.1/media/${name}`, { headers }), name)
    const answer = await ask('save-id1')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(audio)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="__ _a_.exe.wav"; filename*=UTF-8''%E4%BE%8B%E4%BC%9A%20_a_.exe.wav`,
    )
    const part = await ask('save-id1', { range: 'bytes=0-3' })
    expect([part.status, await part.text()]).toEqual([206, 'RIFF'])
    expect((await ask('save-id2')).status).toBe(404)
    expect((await ask(`save-${content}`)).status).toBe(404)
  })

  test('shows and drags nothing', async () => {
    const saves = build()
    const absent = { code: 'NOT_IMPLEMENTED' }
    await expect(saves.reveal({ media: content })).rejects.toMatchObject(absent)
    await expect(saves.drag({ media: content, name: 'a' }, 'w')).rejects.toMatchObject(absent)
  })
})

test('marks copies of provider files on Windows, but not of the user’s own files', async () => {
  platform = 'win32'
  chosen = join(folder, 'own.wav')
  await build(host).save({ media: content, name: 'own.wav' }, 'page')
  received = true
  chosen = join(folder, 'answer.wav')
  await build(host).save({ media: content, name: 'answer.wav' }, 'page')
  // Where a colon creates no stream, the mark is a file next to the copy, which has been renamed since.
  const marks = (await readdir(folder)).filter((name) => name.endsWith(':Zone.Identifier'))
  expect(marks).toHaveLength(1)
  expect(await readFile(join(folder, marks[0] ?? ''), 'utf8')).toBe(
    '[ZoneTransfer]\r\nZoneId=3\r\n',
  )
  expect(await readFile(chosen)).toEqual(audio)
})

test('works on a file system without marks; macOS uses its own program', async () => {
  await markFromWeb(join(folder, 'none', 'a.wav'), 'win32')
  const requests: unknown[] = []
  const run = async (...args: unknown[]): Promise<void> => void requests.push(args)
  await markFromWeb('/a.pdf', 'linux', run)
  expect(requests).toEqual([])
  await markFromWeb('/a.pdf', 'darwin', run)
  expect(requests).toEqual([
    [
      '/usr/bin/xattr',
      [
        '-w',
        'com.apple.quarantine',
        expect.stringMatching(/^0081;[0-9a-f]{8};Lectern;$/),
        '/a.pdf',
      ],
    ],
  ])
  await markFromWeb('/a.pdf', 'darwin', () => Promise.reject(new Error('refused')))
})
