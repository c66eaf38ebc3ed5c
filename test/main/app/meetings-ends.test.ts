import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureFrameHeader } from '../../../src/shared/contract/transport.ts'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { importFile, waveOf } from './meeting-setup.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})

afterEach(() => app.remove())

const sessions = (): readonly string[] => {
  const folder = join(app.home, 'meetings')
  return existsSync(folder) ? readdirSync(folder) : []
}

const begin = async (): Promise<string> =>
  (await app.call('meetings.begin', { roles: ['mic'], sampleRate: 48_000, labels: [] })).meeting.id

/** Sends half a second of audio; returns the code of the refusal, or null. */
async function send(id: string, frame: number): Promise<string | null> {
  const request = new Request(`http://127.0.0.1/capture/${id}`, {
    method: 'PUT',
    headers: { [captureFrameHeader]: String(frame) },
    body: new Uint8Array(48_000),
  })
  const reply = (await (await app.app.fetch(request, app.page)).json()) as {
    readonly error?: { readonly code: string }
  }
  return reply.error?.code ?? null
}

/** Two minutes of a quiet tone in one channel at 8 kHz. */
const long = waveOf(
  [Int16Array.from({ length: 8000 * 120 }, (_, at) => Math.round(300 * Math.sin(at / 9)))],
  8000,
)

const total = async (): Promise<number> => {
  const [one, two] = await Promise.all(
    [true, false].map((bin) => app.call('library.list', { bin, limit: 100 })),
  )
  return (one?.items.length ?? 0) + (two?.items.length ?? 0)
}

test('does not bring back a meeting purged or erased during recording or import', async () => {
  const live = await begin()
  expect(await send(live, 0)).toBeNull()
  const importing = await importFile(app, 'long.wav', long, localAccountId)
  await Promise.all([
    app.call('library.purge', { ids: [live] }),
    app.call('library.purge', { ids: [importing] }),
    send(live, 24_000),
  ])
  expect(['NOT_FOUND', 'REFUSED']).toContain(await send(live, 48_000))
  expect(sessions()).toEqual([])
  expect(await total()).toBe(0)

  const other = await begin()
  expect(await send(other, 0)).toBeNull()
  await importFile(app, 'again.wav', long, localAccountId)
  const reply = await app.raw('app.eraseAll', { confirm: 'erase everything' })
  expect(reply.ok, JSON.stringify(reply)).toBe(true)
  expect(['NOT_FOUND', 'REFUSED']).toContain(await send(other, 24_000))
  expect(sessions()).toEqual([])
  expect(await total()).toBe(0)
  const { home } = app
  await app.stop()
  app = await testApp({ home })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await total()).toBe(0)
  expect(app.logLines.filter((line) => line.includes('"error"'))).toEqual([])
})

test('replies to two windows that stop and send at once, and stores the audio of one', async () => {
  const id = await begin()
  const frames = [0, 0, 24_000, 24_000, 48_000]
  await Promise.all(frames.map((frame) => send(id, frame)))
  const stops = await Promise.all(
    [1500, 1000, null].map((recordedMs) => app.raw('meetings.stop', { id, recordedMs })),
  )
  for (const stopped of stops) expect(stopped.ok).toBe(true)
  expect(await send(id, 72_000)).toBe('REFUSED')
  const gap = { type: 'paused', atMs: 1 } as const
  expect(await app.raw('meetings.capture', { id, event: gap })).toMatchObject({
    error: { code: 'REFUSED' },
  })
  const { meeting } = await app.call('meetings.get', { id })
  expect(meeting.state).toBe('stopped')
  expect(meeting.completeness.writtenMs % 500).toBe(0)
  expect(meeting.completeness.recordedMs).toBe(1500)
})

test('imports a file of a meeting in Trash only after its restoration, not at a start', async () => {
  const id = await importFile(app, 'long.wav', long, localAccountId)
  await app.call('library.remove', { ids: [id] })
  const { home } = app
  await app.stop()
  app = await testApp({ home })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const { meeting } = await app.call('meetings.get', { id })
  expect(meeting.state).toBe('importing')
  expect(sessions()).toEqual([])
  await app.call('library.restore', { ids: [id] })
  await eventually(async () => {
    const now = (await app.call('meetings.get', { id })).meeting
    if (now.state !== 'stopped') throw new Error(now.state)
  })
})

test('does not stop an import like a recording', async () => {
  const id = await importFile(app, 'long.wav', long, localAccountId)
  const { meeting } = await app.call('meetings.stop', { id, recordedMs: 7 })
  expect(meeting.state).not.toBe('recording')
  const done = await eventually(async () => {
    const now = (await app.call('meetings.get', { id })).meeting
    if (now.state === 'importing') throw new Error('still read in')
    return now
  })
  expect(meeting.state).toBe('importing')
  expect(done.state).toBe('stopped')
  expect(done.completeness).toMatchObject({ writtenMs: 120_000, recordedMs: null })
})
