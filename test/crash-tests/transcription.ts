import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chunk, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import { enter, type BridgeClient } from '../fixtures/bridge-client.ts'
import { startHost } from '../fixtures/host-process.ts'
import { randomFrom } from '../fixtures/random.ts'
import { speakTexts } from '../fixtures/spoken.ts'
import {
  serviceKey,
  startTranscriptionService,
  streamedReply,
  type TranscriptionService,
} from '../main/app/meeting-service.ts'

/** Options of the crash test; the short form in `npm test` runs fewer rounds. */
export interface CrashTestOptions {
  readonly rounds?: number
  readonly seed?: number
  readonly log?: (line: string) => void
}

/** Result of the crash test. */
export interface CrashTestResult {
  readonly rounds: number
  /** Number of kills before the first request, during a request, and after the last response. */
  readonly moments: { readonly before: number; readonly during: number; readonly after: number }
  /** Number of segments of which the page had received a part. */
  readonly partial: number
}

/** Duration of a response, and the range of the moments of the kills, in milliseconds. */
const answerMs = 700
const killWithinMs = 5_000
/** Time after which a transcription that should continue counts as hanging. */
const hangMs = 120_000
/** Text of an audio: enough words for several updates while it is received. */
const textOfAudio = (audioHash: string): string =>
  `The words of ${audioHash} as the service transcribed them for this test.`
const sentence = 'Please write that down and send it to everybody after the meeting.'

/**
 * Kills the host (SIGKILL) at random moments of an import with its transcription, and restarts it. In each round, every
 * text that a page has received is in the database afterward, and the meeting must become complete: its whole audio, and
 * the text of each segment exactly once.
 */
export async function crashTestTranscription(
  options: CrashTestOptions = {},
): Promise<CrashTestResult> {
  const { rounds = 50, seed = 20_26, log = () => {} } = options
  const random = randomFrom(seed)
  const home = await mkdtemp(join(tmpdir(), 'lectern-crash-test-'))
  const service = await startTranscriptionService()
  service.answer = ({ audioHash }) => streamedReply(textOfAudio(audioHash), answerMs)
  const [speech = new Int16Array()] = await speakTexts([sentence], 16_000)
  const moments = { before: 0, during: 0, after: 0 }
  let partial = 0
  try {
    await prepare(home, service)
    for (let round = 0; round < rounds; round++) {
      // Other bytes in each round: the same file would be the same meeting.
      const samples = speech.map((sample, at) => (at === 0 ? round : sample))
      const before = service.requests.length
      const { id, complete, seen } = await runAndKill(home, samples, random() * killWithinMs)
      const moment = complete ? 'after' : service.requests.length === before ? 'before' : 'during'
      moments[moment] += 1
      partial += seen.size
      await restartAndCheck(home, id, seen, service)
      log(`round ${round + 1}: killed ${moment} the transcription, ${seen.size} partial`)
    }
  } finally {
    await service.close()
    await rm(home, { recursive: true, force: true })
  }
  return { rounds, moments, partial }
}

async function prepare(home: string, service: TranscriptionService): Promise<void> {
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
async function storeKey(page: BridgeClient): Promise<void> {
  const account = (await page.call('accounts.list', {})).find((view) => view.active)
  if (!account) throw new Error('no active account')
  await page.call('accounts.setKey', { id: account.id, key: serviceKey })
}

/** Partial texts that the page has received, by segment. */
type Seen = ReadonlyMap<string, string>

async function runAndKill(
  home: string,
  samples: Int16Array,
  afterMs: number,
): Promise<{ readonly id: string; readonly complete: boolean; readonly seen: Seen }> {
  const host = await startHost(home)
  const page = await enter(host.launchUrl)
  await storeKey(page)
  const seen = new Map<string, string>()
  page.onEvent((pushed) => {
    if (pushed.channel !== 'app' || pushed.event.type !== 'meeting.partial') return
    const { segmentId, text } = pushed.event
    if (text === '') seen.delete(segmentId)
    else seen.set(segmentId, text)
  })
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const file = wave([chunk('fmt ', waveFormat({})), chunk('data', data)])
  const media = await page.intake('talk.wav', file)
  const { meeting } = await page.call('meetings.import', { mediaId: media.id })
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const complete = await isComplete(page, meeting.id)
  await host.kill()
  page.close()
  return { id: meeting.id, complete, seen }
}

async function isComplete(page: BridgeClient, id: string): Promise<boolean> {
  const { state, completeness } = (await page.call('meetings.get', { id })).meeting
  const { segments, waiting, failed, analysedMs, writtenMs } = completeness
  if (failed > 0) throw new Error('a segment failed')
  return state === 'stopped' && analysedMs >= writtenMs && segments > 0 && waiting === 0
}

async function restartAndCheck(
  home: string,
  id: string,
  seen: Seen,
  service: TranscriptionService,
): Promise<void> {
  const host = await startHost(home)
  const page = await enter(host.launchUrl)
  try {
    // Without the key, nothing is sent yet.
    await checkSeen(page, id, seen)
    await storeKey(page)
    const until = Date.now() + hangMs
    while (!(await isComplete(page, id))) {
      if (Date.now() > until) throw new Error(`meeting ${id} hangs`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const { segments, lines } = await page.call('meetings.lines', { id })
    const sentTexts = new Set(service.requests.map(({ audioHash }) => textOfAudio(audioHash)))
    if (lines.length !== segments.length || lines.some(({ text }) => !sentTexts.has(text)))
      throw new Error(`wrong text: ${JSON.stringify(lines.map(({ text }) => text))}`)
  } finally {
    page.close()
    await host.stop()
  }
}

/** Compares the saved text of each segment with what the page had received. */
async function checkSeen(page: BridgeClient, id: string, seen: Seen): Promise<void> {
  const { segments, lines } = await page.call('meetings.lines', { id })
  for (const [segmentId, text] of seen) {
    const written = lines.find((line) => line.segmentId === segmentId)?.text
    const saved = written ?? segments.find((one) => one.id === segmentId)?.partial ?? ''
    if (!saved.startsWith(text))
      throw new Error(`lost text: saw ${JSON.stringify(text)}, saved ${JSON.stringify(saved)}`)
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
