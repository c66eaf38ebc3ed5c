import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../../src/shared/model/job.ts'
import { enter, type BridgeClient } from '../fixtures/bridge-client.ts'
import { startHost } from '../fixtures/host-process.ts'
import { randomFrom } from '../fixtures/random.ts'
import { startScriptedService, type ScriptedService } from '../fixtures/slow-service.ts'
import { sineWav } from '../fixtures/wav.ts'

/** Options of the crash test; the short form in `npm test` runs fewer rounds. */
export interface CrashTestOptions {
  readonly rounds?: number
  readonly seed?: number
  readonly log?: (line: string) => void
}

/** Result of the crash test. */
export interface CrashTestResult {
  readonly rounds: number
  /** Number of kills before the first text, during the text, and after the last text. */
  readonly moments: { readonly before: number; readonly during: number; readonly after: number }
  readonly resumed: number
  readonly explained: number
}

/** Duration of the scripted server's whole response, in milliseconds: kills occur before, during and after it. */
const answerMs = 700
const words = Array.from({ length: 40 }, (_, i) => (i % 3 === 2 ? `第${i}句，` : `word${i} `))
const fullText = words.join('')

/**
 * Kills the host (SIGKILL) at random moments of a running transcription and restarts it. Each round checks that every
 * character a page has received is in the database afterward, and that the job continues to its end or reports why it cannot.
 */
export async function crashTestTranscription(
  options: CrashTestOptions = {},
): Promise<CrashTestResult> {
  const { rounds = 50, seed = 20_26, log = () => {} } = options
  const random = randomFrom(seed)
  const home = await mkdtemp(join(tmpdir(), 'lectern-crash-test-'))
  const service = await startScriptedService({ words, totalMs: answerMs })
  const moments = { before: 0, during: 0, after: 0 }
  let resumed = 0
  let explained = 0
  try {
    await prepare(home, service)
    for (let round = 0; round < rounds; round++) {
      const { job, itemId, seen, complete } = await runAndKill(home, service, round, random)
      if (complete) moments.after += 1
      else if (seen === '') moments.before += 1
      else moments.during += 1
      const end = await restartAndCheck(home, service, job, itemId, seen)
      if (end === 'resumed') resumed += 1
      else explained += 1
      log(`round ${round + 1}: saw ${seen.length} of ${fullText.length} characters, then ${end}`)
    }
  } finally {
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
  return { rounds, moments, resumed, explained }
}

/** Creates one account for the scripted server. */
async function prepare(home: string, service: ScriptedService): Promise<void> {
  const host = await startHost(home)
  const page = await enter(host.launchUrl)
  const account = await page.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: service.url,
  })
  await page.call('accounts.activate', { id: account.id })
  page.close()
  await host.stop()
}

/** Stores the session's key: it is entered again after each start, since only a keychain may store it. */
async function storeKey(page: BridgeClient, key: string): Promise<void> {
  const account = (await page.call('accounts.list', {})).find((view) => view.active)
  if (!account) throw new Error('no active account')
  await page.call('accounts.setKey', { id: account.id, key })
}

async function runAndKill(
  home: string,
  service: ScriptedService,
  round: number,
  random: () => number,
): Promise<{ job: Job; itemId: string; seen: string; complete: boolean }> {
  const host = await startHost(home)
  const page = await enter(host.launchUrl)
  await storeKey(page, service.key)
  const media = await page.intake(`round ${round}.wav`, sineWav({ seconds: 1, hz: 200 + round }))
  const streamId = `crash-test-${round}-${Math.floor(random() * 1e9)}`
  let seen = ''
  page.onEvent((event) => {
    if (event.channel !== 'stream' || event.event.streamId !== streamId) return
    if (event.event.type === 'delta') seen += event.event.text
    if (event.event.type === 'end') seen = event.event.text
  })
  const { job, item } = await page.call('transcriptions.start', { mediaId: media.id, streamId })
  await new Promise((resolve) => setTimeout(resolve, random() * answerMs * 1.3))
  await host.kill()
  page.close()
  return { job, itemId: item.id, seen, complete: seen === fullText }
}

/** Restarts: first compares the stored data with what was received, then the job must finish. */
async function restartAndCheck(
  home: string,
  service: ScriptedService,
  job: Job,
  itemId: string,
  seen: string,
): Promise<'resumed' | 'explained'> {
  const host = await startHost(home)
  const page = await enter(host.launchUrl)
  try {
    const text = async (): Promise<string> =>
      (await page.call('library.get', { id: itemId })).transcripts[0]?.text ?? ''
    const before = await text()
    if (!before.startsWith(seen)) {
      throw new Error(`lost text: saw ${JSON.stringify(seen)}, stored ${JSON.stringify(before)}`)
    }
    await storeKey(page, service.key)
    const until = Date.now() + 15_000
    for (;;) {
      const item = await page.call('library.get', { id: itemId })
      if (item.job?.state === 'done') {
        if (item.transcripts[0]?.text !== fullText) {
          throw new Error(`wrong text at the end: ${JSON.stringify(item.transcripts[0]?.text)}`)
        }
        return 'resumed'
      }
      if (item.job?.state === 'failed' && item.job.error?.code !== 'NO_KEY') return 'explained'
      if (Date.now() > until) throw new Error(`job ${job.id} hangs in ${item.job?.state}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    page.close()
    await host.stop()
  }
}

/** `npm run crash-tests -- transcription`. */
export const crashTest = {
  name: 'transcription',
  async run(): Promise<void> {
    const result = await crashTestTranscription({ log: (line) => console.log(line) })
    console.log(JSON.stringify(result))
  },
}
