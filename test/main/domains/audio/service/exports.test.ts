import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { createMediaFiles, type MediaFiles } from '../../../../../src/main/platform/files/files.ts'
import { createMeetingExports } from '../../../../../src/main/domains/audio/exports/exports.ts'
import type { AudioWork } from '../../../../../src/main/domains/audio/service/audio-worker.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import {
  meetingJson,
  type MeetingJsonPage,
} from '../../../../../src/shared/contract/meeting-json.ts'
import {
  codeOf,
  storeOptions,
  temporaryHome,
  tickingClock,
} from '../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'
import { aVersion, newMeeting } from '../store/fixture.ts'

/** Exports of a meeting `m` with six lines; the test provides the audio writer. */
async function setup(
  writeAudio: AudioWork['writeAudio'],
  afterIntake: (home: string) => Promise<void> = async () => {},
  printPdf?: (htmlPath: string) => Promise<Uint8Array>,
) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  newMeeting(store, 'm')
  const mediaFiles = createMediaFiles({ home, store, clock: tickingClock() })
  const files: MediaFiles = {
    ...mediaFiles,
    async intake(...args) {
      const media = await mediaFiles.intake(...args)
      await afterIntake(home)
      return media
    },
  }
  const warned: string[] = []
  let ids = 0
  const exports = createMeetingExports({
    home,
    version: '1.0.0',
    workerUrl,
    store,
    files,
    audio: { writeAudio },
    ...(printPdf && { printPdf }),
    ids: () => `export-${(ids += 1)}`,
    log: { warn: (message) => void warned.push(message) },
  })
  onTestFinished(async () => {
    await exports.close()
    await store.close()
    remove()
  })
  return { home, store, files, exports, warned }
}
const nothing: AudioWork['writeAudio'] = () => Promise.reject(new Error('no sound is asked for'))

test('writes JSON with every version of the text, including replaced ones, that can be imported', async () => {
  const { store, files, exports } = await setup(nothing)
  store.meetings.propose(aVersion('r-new', 'm-a', 'something else'))
  const options = { speakers: true, timestamps: true, gaps: true, bom: false }
  const media = await exports.text({ id: 'm', format: 'json', options, language: 'en' })
  const text = await readFile(await files.path(media.id), 'utf8')
  const json = meetingJson.parse(JSON.parse(text))
  expect(json.readings.map((one) => one.text).toSorted()).toEqual([
    'one two three four five',
    'six seven eight',
    'something else',
    '你好世界 第二句',
  ])
  const known = new Set(json.readings.map((one) => one.id))
  expect(json.segments.every(({ readingId: versionId }) => known.has(versionId ?? ''))).toBe(true)
  const opened = await exports.openJson(media.id)
  const pages: MeetingJsonPage[] = []
  for (let page = await opened.next(); page; page = await opened.next()) pages.push(page)
  await opened.close()
  const lines = pages.flatMap((page) => (page.list === 'lines' ? page.rows : []))
  expect(lines.map((line) => line.text)).toEqual(store.meetings.lines('m').map((line) => line.text))
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0)
  expect(opened.rows).toBe(rows)
})

test('prints a PDF from the page of the meeting, and only in a host that can', async () => {
  const options = { speakers: true, timestamps: true, gaps: true, bom: false }
  const request = { id: 'm', format: 'pdf', options, language: 'zh' } as const
  let page = ''
  const { home, files, exports } = await setup(nothing, undefined, async (path) => {
    page = await readFile(path, 'utf8')
    return new TextEncoder().encode('%PDF-1.7')
  })
  const media = await exports.text(request)
  expect(media.name).toMatch(/\.pdf$/)
  expect(await readFile(await files.path(media.id), 'utf8')).toBe('%PDF-1.7')
  expect(page).toContain('<html lang="zh-CN">')
  expect(page).toContain('你好世界')
  expect(await readdir(join(home, 'exports'))).toEqual([])
  const browser = await setup(nothing)
  expect(await codeOf(() => browser.exports.text(request))).toBe('NOT_IMPLEMENTED')
  const gone = { ...request, format: 'md', summaryId: 'gone' } as const
  expect(await codeOf(() => browser.exports.text(gone))).toBe('NOT_FOUND')
})

test('canceling an audio export ends its work and leaves no file', async () => {
  let begun: () => void = () => {}
  const working = new Promise<void>((resolve) => (begun = resolve))
  const { home, exports } = await setup(async ({ to }, signal) => {
    await writeFile(to, 'half of it')
    begun()
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new AppError('CANCELLED', 'Stopped')))
    })
  })
  const caller = new AbortController()
  const request = { id: 'm', format: 'mp3', channel: 'mix' } as const
  const pending = exports.audio(request, caller.signal)
  const [end] = await Promise.all([
    pending.catch((error: unknown) => error),
    working.then(() => caller.abort()),
  ])
  expect(end).toMatchObject({ code: 'CANCELLED' })
  expect(await readdir(join(home, 'exports'))).toEqual([])
})

test('a finished export succeeds even if its temporary files cannot be removed', async () => {
  const write: AudioWork['writeAudio'] = ({ to }) => writeFile(to, 'sound')
  const { exports, warned } = await setup(write, async (home) => {
    // A file in place of the folder: removing an entry of it fails.
    await rm(join(home, 'exports'), { recursive: true })
    await writeFile(join(home, 'exports'), '')
  })
  const media = await exports.audio({ id: 'm', format: 'mp3', channel: 'mix' })
  expect(media).toMatchObject({ bytes: 5 })
  // Windows reports that there is no such entry, which is not a failure.
  expect(warned).toHaveLength(process.platform === 'win32' ? 0 : 1)
})

test('rejects a channel the meeting does not have before writing anything', async () => {
  const { store, exports } = await setup(nothing)
  store.meetings.update('m', { channels: ['mono'] })
  const pending = exports.audio({ id: 'm', format: 'wav', channel: 1 })
  await expect(pending).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
