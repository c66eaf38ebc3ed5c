import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { captureFrameHeader, capturePath, tabKey } from '../src/shared/contract/transport.ts'
import { localAccountId } from '../src/shared/provider/profiles.ts'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { speakTexts } from '../test/fixtures/spoken.ts'
import { against, alone, median, quantile, type Bench, type Row } from './row.ts'

/** Sentences with a word at the end that only they contain, and that the on-device engine transcribes. */
const sentences = [
  ['We met today to plan the spring release.', 'release'],
  ['The import is finished, but search needs another week.', 'week'],
  ['Please send the report to everybody after lunch.', 'lunch'],
  ['How much did we spend on the old servers?', 'servers'],
  ['It was twelve percent less than in the last quarter.', 'quarter'],
  ['Then we can buy a new camera for the office.', 'office'],
  ['The customers in the south want printed paper.', 'paper'],
  ['Let us talk again on the first of September.', 'september'],
] as const

const rate = 16_000
/** Frames per block: 100 ms, as a page sends them. */
const blockFrames = rate / 10
/** Pauses between sentences, in seconds: too short to end a segment, and like those of a speaker who thinks. */
const pauses = [0.5, 0.8] as const
/** Seconds of silence at the end: every text is there by then. */
const quietSeconds = 8
const budgetMs = 3000

interface Spoken {
  readonly audio: Int16Array<ArrayBuffer>
  /** End of each sentence in milliseconds, with its word. */
  readonly ends: readonly { readonly atMs: number; readonly word: string }[]
}

async function spokenWith(pauseSeconds: number): Promise<Spoken> {
  const spoken = await speakTexts(
    sentences.map(([text]) => text),
    rate,
  )
  const parts: Int16Array[] = [new Int16Array(rate)]
  const ends: { atMs: number; word: string }[] = []
  let frames = rate
  for (const [at, audio] of spoken.entries()) {
    frames += audio.length
    ends.push({ atMs: (frames * 1000) / rate, word: sentences[at]?.[1] ?? '' })
    parts.push(audio, new Int16Array(Math.round(pauseSeconds * rate)))
    frames += Math.round(pauseSeconds * rate)
  }
  const audio = new Int16Array(frames + quietSeconds * rate)
  let to = 0
  for (const part of parts) {
    audio.set(part, to)
    to += part.length
  }
  return { audio, ends }
}

/** Records audio in real time, and returns the milliseconds from the end of each sentence to its text. */
async function delays(client: BridgeClient, { audio, ends }: Spoken): Promise<readonly number[]> {
  const { meeting } = await client.call('meetings.begin', {
    title: 'Live',
    accountId: localAccountId,
    roles: ['mic'],
    labels: [''],
    sampleRate: rate,
  })
  const shown = new Map<string, number>()
  let began = 0
  client.onEvent((pushed) => {
    if (pushed.channel !== 'app') return
    const { event } = pushed
    const texts =
      event.type === 'meeting.preview'
        ? [event.text]
        : event.type === 'meeting.lines'
          ? event.lines.map(({ text }) => text)
          : []
    const now = performance.now() - began
    for (const { word } of ends)
      if (!shown.has(word) && texts.some((text) => text.toLowerCase().includes(word)))
        shown.set(word, now)
  })
  began = performance.now()
  for (let at = 0; at < audio.length; at += blockFrames) {
    const block = audio.slice(at, at + blockFrames)
    // A block is complete once its last frame was recorded.
    await sleep(Math.max(0, began + ((at + block.length) * 1000) / rate - performance.now()))
    const reply = await fetch(client.origin + capturePath + meeting.id, {
      method: 'PUT',
      headers: {
        cookie: client.cookie,
        origin: client.origin,
        [tabKey.header]: client.key,
        [captureFrameHeader]: String(at),
      },
      body: new Uint8Array(block.buffer),
    })
    if (!reply.ok) throw new Error(`block refused: HTTP ${reply.status}`)
  }
  await client.call('meetings.stop', { id: meeting.id, recordedMs: null })
  const missing = ends.filter(({ word }) => !shown.has(word)).map(({ word }) => word)
  if (missing.length > 1) throw new Error(`not shown: ${missing.join(', ')}`)
  return ends.flatMap(({ atMs, word }) => {
    const at = shown.get(word)
    return at === undefined ? [] : [at - atMs]
  })
}

async function rows(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-bench-live-'))
  const host = await startHost(home)
  try {
    const client = await enter(host.launchUrl)
    await client.call('settings.update', { welcomed: true })
    // The first recording loads the engine.
    await delays(client, await spokenWith(pauses[0]))
    const measured: number[] = []
    for (const pause of pauses) measured.push(...(await delays(client, await spokenWith(pause))))
    client.close()
    const row = (name: string, figure: number) => ({
      name: `live text after the end of a sentence, ${name}`,
      figure,
      unit: 'ms',
    })
    return [
      alone(row('median', median(measured))),
      against(row('90th percentile', quantile(measured, 0.9)), 'goal', budgetMs),
    ]
  } finally {
    await host.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Measures how soon speech is shown as text while it is recorded on this computer. Needs espeak-ng. */
export const bench: Bench = { name: 'live-text', run: rows }
