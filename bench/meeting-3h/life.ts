import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meeting } from '../../src/shared/model/meeting.ts'
import { enter, type BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { startHost } from '../../test/fixtures/host-process.ts'
import { startScriptedService } from '../../test/fixtures/slow-service.ts'
import { sineWav } from '../../test/fixtures/wav.ts'
import { against, alone, median, quantile, type Row } from '../row.ts'
import { longMp3 } from './long-sound.ts'
import { beginPauses, pausesOf, watched } from '../host-pauses.ts'
import type { Pauses } from './main-pauses.ts'
import { pageRows } from './page.ts'

const pauseBudgetMs = 50

/** Number of seeks, each to another position in the audio. */
const seeks = 41

/** Maximum time for import, segmentation and transcription before the benchmark fails, in ms. */
const patienceMs = 1_500_000

/**
 * Measures a long meeting in the built app: imported from an mp3, segmented and transcribed (the mock server responds at once)
 * while main's pauses are counted, then its audio requested at many positions, then opened in a browser.
 */
export async function lifeRows(folder: string, spoken: string, hours: number): Promise<Row[]> {
  const mp3 = longMp3(spoken, hours, join(folder, 'meeting.mp3'))
  const words = ['we ', 'met ', 'to ', 'talk ', 'about ', 'the ', 'spring.']
  const service = await startScriptedService({ words, totalMs: 0 })
  const host = await startHost(join(folder, 'home'), watched)
  try {
    const client = await enter(host.launchUrl)
    await prepare(client, service)
    const empty = await importFile(client, 'empty.wav', sineWav({ seconds: 1, hz: 440 }))
    await done(client, empty.id)
    await beginPauses(host)
    await sleep(20_000)
    const idle = await pausesOf(host)
    const start = performance.now()
    const media = await put(client, 'long.mp3', mp3)
    const taken = await pausesOf(host)
    const { meeting } = await client.call('meetings.import', { mediaId: media })
    const finished = await done(client, meeting.id)
    const minutes = (performance.now() - start) / 60_000
    const pauses = await pausesOf(host)
    const sought = await seekTimes(client, finished)
    return [
      ...pauseRows('file taken in', taken, idle),
      ...pauseRows(`${hours} h read in, looked through and heard`, pauses, idle),
      alone({
        name: `${finished.completeness.segments} segments with their responses, after`,
        figure: minutes,
        unit: 'min',
      }),
      against(
        {
          name: 'seek: 64 KB range with status 206, median',
          figure: median(sought),
          unit: 'ms',
        },
        'budget',
        pauseBudgetMs,
      ),
      alone({ name: 'seek, p95', figure: quantile(sought, 0.95), unit: 'ms' }),
      ...(await pageRows(client, { emptyId: empty.id, longId: finished.id })),
    ]
  } finally {
    await host.stop()
    await service.stop()
  }
}

function pauseRows(what: string, pauses: Pauses, idle: Pauses): Row[] {
  const longest = { name: `main's longest pause: ${what}`, figure: pauses.longest, unit: 'ms' }
  return [
    against(longest, 'doing nothing for 20 s', idle.longest),
    against(
      { name: `main's longest uninterrupted work: ${what}`, figure: pauses.byWork, unit: 'ms' },
      'budget',
      pauseBudgetMs,
    ),
  ]
}

/** Adds an account at the mock server and skips the welcome screen. */
async function prepare(
  client: BridgeClient,
  service: { readonly url: string; readonly key: string },
): Promise<void> {
  const account = await client.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: service.url,
  })
  await client.call('accounts.setKey', { id: account.id, key: service.key })
  await client.call('accounts.activate', { id: account.id })
  await client.call('settings.update', { welcomed: true })
}

async function importFile(client: BridgeClient, name: string, bytes: Uint8Array): Promise<Meeting> {
  const media = await client.intake(name, bytes)
  return (await client.call('meetings.import', { mediaId: media.id })).meeting
}

/** Imports a file; returns its ID. */
async function put(client: BridgeClient, name: string, path: string): Promise<string> {
  return (await client.intake(name, readFileSync(path))).id
}

/** Returns the meeting once its file is imported and every segment is transcribed. */
async function done(client: BridgeClient, id: string): Promise<Meeting> {
  const until = performance.now() + patienceMs
  for (;;) {
    const { meeting } = await client.call('meetings.get', { id })
    const { analysedMs, segments, waiting, failed } = meeting.completeness
    if (meeting.state === 'import-failed' || failed > 0)
      throw new Error(`the meeting failed: ${JSON.stringify(meeting.error)}, ${failed} segments`)
    const isAnalyzed = meeting.state === 'stopped' && analysedMs >= meeting.durationMs
    if (isAnalyzed && waiting === 0) return meeting
    if (performance.now() > until)
      throw new Error(`still ${meeting.state}, ${waiting} of ${segments} segments wait`)
    await sleep(500)
  }
}

/** Milliseconds until 64 KB from a position are there, for positions across the audio, far from each other. */
async function seekTimes(client: BridgeClient, meeting: Meeting): Promise<number[]> {
  const url = `${client.origin}/media/meeting-${meeting.id}`
  const headers = { cookie: client.cookie }
  const head = await fetch(url, { method: 'HEAD', headers })
  const size = Number(head.headers.get('content-length'))
  const times: number[] = []
  for (let i = 0; i < seeks; i++) {
    const from = Math.floor((size * ((i * 17) % seeks)) / seeks)
    const start = performance.now()
    const response = await fetch(url, {
      headers: { ...headers, range: `bytes=${from}-${from + 65_535}` },
    })
    const { byteLength } = await response.arrayBuffer()
    times.push(performance.now() - start)
    if (response.status !== 206 || byteLength !== 65_536)
      throw new Error(`a range was answered with ${response.status}, ${byteLength} bytes`)
  }
  return times
}
