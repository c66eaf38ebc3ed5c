import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killed } from '../../fixtures/killed.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { accountAt, hangMs, transcribedMeeting, importFile, waveOf } from './meeting-setup.ts'
import {
  serviceKey,
  startTranscriptionService,
  type TranscriptionService,
} from './meeting-service.ts'
import { talkInTurns } from './meeting-talk.ts'

const keychain = memoryKeychain()
let folder: string
let service: TranscriptionService
let app: TestApp
let accountId: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-killed-'))
  service = await startTranscriptionService()
  app = await testApp({ home: join(folder, 'home'), keychain })
  accountId = await accountAt(app, service.url, serviceKey)
})
afterEach(async () => {
  await app.stop()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the app in a separate process that kills itself. */
function runUntilKilled(file: string, when: string): Promise<void> {
  const program = join(import.meta.dirname, 'meeting-killed.ts')
  const child = spawn(process.execPath, [program, app.home, accountId, serviceKey, file, when], {
    stdio: 'inherit',
  })
  return killed(child)
}

/** Returns the content of a transcript without IDs. */
async function transcriptOf(lectern: TestApp, id: string): Promise<readonly unknown[]> {
  const { lines, segments } = await lectern.call('meetings.lines', { id, limit: 2000 })
  const found = segments.map(({ channel, startMs, endMs, state }) => ({
    channel,
    startMs,
    endMs,
    state,
  }))
  const lineContents = lines.map(({ channel, startMs, endMs, text, model }) => ({
    channel,
    startMs,
    endMs,
    text,
    model,
  }))
  return [found, lineContents]
}

test(
  'produces the same meeting after kills during import and transcription as without',
  async () => {
    const file = join(folder, 'talk.wav')
    const bytes = waveOf(await talkInTurns(12, 16_000), 16_000)
    await writeFile(file, bytes)
    await app.stop()

    await runUntilKilled(file, 'importing')
    await runUntilKilled('', '3')
    const killedAt = service.requests.length
    app = await testApp({ home: app.home, keychain })
    const { items } = await app.call('library.list', { limit: 10 })
    const [id = ''] = items.map((item) => item.id)
    expect(items).toHaveLength(1)
    const { completeness } = await transcribedMeeting(app, id)
    expect(completeness).toMatchObject({ segments: 12, waiting: 0, failed: 0 })
    const requestCount = service.requests.length
    const audioHashes = new Set(service.requests.map(({ audioHash }) => audioHash))
    // Only requests in flight at the kill are sent again: at most four at a time.
    expect(audioHashes.size).toBe(12)
    expect(requestCount).toBeLessThanOrEqual(12 + 4)

    const undisturbed = await testApp({ home: join(folder, 'other'), keychain })
    const other = await accountAt(undisturbed, service.url, serviceKey)
    const again = await importFile(undisturbed, 'talk.wav', bytes, other)
    await transcribedMeeting(undisturbed, again)
    const wanted = await transcriptOf(undisturbed, again)
    await undisturbed.stop()
    expect(await transcriptOf(app, id)).toEqual(wanted)
    console.log(
      `killed twice: 12 segments of 12 sounds with ${requestCount} calls, ${killedAt} of them before the second kill`,
    )
  },
  hangMs,
)
