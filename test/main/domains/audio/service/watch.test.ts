import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../../../../src/main/errors.ts'
import {
  type VoiceWatch,
  createVoiceWatch,
} from '../../../../../src/main/domains/audio/service/watch.ts'
import { sessionFolder } from '../../../../../src/main/platform/audio/session-files.ts'
import { openWriter } from '../../../../../src/main/domains/audio/worker/session-writer.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { wholeMs, type Segment } from '../../../../../src/shared/model/meeting.ts'
import { interleaved } from '../../../app/meeting-setup.ts'
import { talkInTurns } from '../../../app/meeting-talk.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'

const rate = 16_000
const turns = 4
const modelsDir = join(import.meta.dirname, '../../../../../resources/models')

let audio: Int16Array<ArrayBuffer>
beforeAll(async () => {
  audio = interleaved(await talkInTurns(turns, rate))
})

/** A meeting whose audio is being written, and a watch over a real store that can be restarted. */
async function setupOf(plan?: readonly string[]) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const id = 'meeting-1'
  const folder = sessionFolder(home, id)
  const planFile = `${folder}.plan`
  const [head, log] = [{ id, title: 'Talk', roles: ['mic', 'others'] } as const, memoryLog()]
  store.meetings.create({
    id,
    title: 'Talk',
    source: 'recording',
    state: 'recording',
    channels: head.roles,
    sampleRate: rate,
    mediaId: null,
    hasAudio: true,
    accountId: 'this-computer',
    prompt: '',
    hotwords: [],
    at: 1,
  })
  const writer = openWriter(
    folder,
    {
      ...head,
      version: 1,
      state: 'open',
      sampleRate: rate,
      labels: ['', ''],
      startedAt: 1,
      owner: { pid: process.pid, run: 'run-1' },
      frames: null,
    },
    { now: Date.now, reserveBytes: 0 },
  )
  const reported: Segment[][] = []
  const failures: AppError[] = []
  const waits: number[] = []
  const spoken: [channel: number, open: boolean][] = []
  let serial = 0
  const reads = { whole: 0 }
  const failing = new URL('failing-activity.ts', import.meta.url)
  if (plan) writeFileSync(planFile, plan.join(' '))
  const begin = (): VoiceWatch =>
    createVoiceWatch({
      workerUrl: plan ? () => failing : workerUrl,
      modelsDir,
      folderOf: () => folder,
      store: {
        ...store.meetings,
        segments(...args) {
          reads.whole += 1
          return store.meetings.segments(...args)
        },
      },
      ids: () => `segment-${++serial}`,
      log,
      onSegments: (_, segments) => void reported.push([...segments]),
      onSpeech: (_, channel, speech) => void spoken.push([channel, speech !== null]),
      onFailure: (_, error) => void failures.push(error),
      wait: async (ms) => void waits.push(ms),
    })
  const setup = {
    id,
    reads,
    reported,
    failures,
    waits,
    spoken,
    log,
    planFile,
    watch: begin(),
    /** Writes audio up to a share of it. */
    write(share: number): void {
      const frames = Math.floor((audio.length / 2) * share)
      const { frames: at } = writer.write(0, new Uint8Array(0), false)
      const more = audio.slice(at * 2, frames * 2)
      writer.write(at, new Uint8Array(more.buffer), false)
      store.meetings.update(id, { durationMs: wholeMs(frames, rate) })
    },
    async inspect(last = false, live = true): Promise<void> {
      setup.watch.nudge(id, { live, last })
      await setup.watch.settled(id)
    },
    async restart(): Promise<void> {
      await setup.watch.close()
      setup.watch = begin()
    },
    segments: () => store.meetings.segments(id),
    analysed: () => store.meetings.analysed(id),
    durationMs: wholeMs(audio.length / 2, rate),
  }
  onTestFinished(async () => {
    await setup.watch.close()
    writer.close()
    await store.close()
    remove()
  })
  return setup
}

const spans = (segments: readonly Segment[]) =>
  segments.map(({ channel, startMs, endMs }) => ({ channel, startMs, endMs }))

test('detects a live session segment by segment as it grows, up to its last frame', async () => {
  const setup = await setupOf()
  const counts: number[] = []
  for (let step = 1; step <= 10; step++) {
    setup.write(step / 10)
    const before = setup.analysed()
    await setup.inspect(step === 10)
    setup
      .analysed()
      .forEach((ms, channel) => expect(ms).toBeGreaterThanOrEqual(before[channel] ?? 0))
    counts.push(setup.segments().length)
  }
  // Speech that had not ended was reported meanwhile, and none after the end.
  expect(setup.spoken).toContainEqual([0, true])
  expect(setup.spoken.slice(-2)).toEqual([
    [0, false],
    [1, false],
  ])
  // Every turn is a segment, each reported once and as soon as its pause was detected.
  expect(setup.segments()).toHaveLength(turns)
  expect(setup.segments().map(({ channel }) => channel)).toEqual([0, 1, 0, 1])
  expect(counts.filter((count, at) => count > (counts[at - 1] ?? 0)).length).toBeGreaterThanOrEqual(
    3,
  )
  expect(spans(setup.reported.flat()).toSorted((a, b) => a.startMs - b.startMs)).toEqual(
    spans(setup.segments()),
  )
  expect(setup.analysed()).toEqual([setup.durationMs, setup.durationMs])
  expect(setup.failures).toEqual([])
  // A recording of hours is not read completely every second.
  expect(setup.reads.whole).toBe(0)
})

test('a restart continues at the stored position, without lost or duplicate segments', async () => {
  const undisturbed = await setupOf()
  undisturbed.write(1)
  await undisturbed.inspect(true)
  const setup = await setupOf()
  for (const share of [0.45, 1]) {
    setup.write(share)
    await setup.inspect()
    const saved = setup.segments()
    const before = setup.analysed()
    await setup.restart()
    expect(setup.analysed()).toEqual(before)
    setup.watch.nudge(setup.id, { live: true, last: share === 1 })
    await setup.watch.settled(setup.id)
    expect(setup.segments().slice(0, saved.length)).toEqual(saved)
    expect(saved.length).toBeGreaterThan(0)
  }
  expect(setup.segments()).toHaveLength(turns)
  // The detector starts without memory: an edge may be off by a frame or two.
  const wanted = spans(undisturbed.segments())
  for (const [at, found] of spans(setup.segments()).entries()) {
    expect(found.channel).toBe(wanted[at]?.channel)
    expect(Math.abs(found.startMs - (wanted[at]?.startMs ?? 0))).toBeLessThanOrEqual(96)
    expect(Math.abs(found.endMs - (wanted[at]?.endMs ?? 0))).toBeLessThanOrEqual(96)
  }
})

test('retries after a worker crash and a detector failure, without losing anything', async () => {
  const setup = await setupOf(['die', 'fail', 'go', 'fail', 'die'])
  setup.write(1)
  await setup.inspect(true, false)
  expect(setup.segments()).toHaveLength(turns)
  expect(setup.failures).toEqual([])
  expect(setup.waits).toEqual([200, 1_000, 200, 1_000])
  expect(setup.log.lines.filter((line) => line.includes('retrying'))).toHaveLength(
    setup.waits.length,
  )
})

test('reports a permanently failing worker once, and the next nudge continues at the store', async () => {
  const setup = await setupOf(Array.from({ length: 5 }, () => 'fail'))
  setup.write(0.5)
  await setup.inspect(false, false)
  expect(setup.failures).toHaveLength(1)
  expect(setup.waits).toEqual([200, 1_000, 5_000, 15_000])
  expect(setup.segments()).toEqual([])
  expect(setup.analysed()).toEqual([0, 0])
  expect(readFileSync(setup.planFile, 'utf8')).toBe('')
  setup.write(1)
  await setup.inspect(true, false)
  expect(setup.failures).toHaveLength(1)
  expect(setup.segments()).toHaveLength(turns)
})

test('stops processing a forgotten meeting, which can be processed again', async () => {
  const setup = await setupOf()
  setup.write(0.6)
  await setup.inspect(false, false)
  const found = setup.segments()
  const before = setup.analysed()
  expect(found.length).toBeGreaterThan(0)
  setup.write(1)
  setup.watch.nudge(setup.id, { live: false, last: true })
  // In the middle of a run: its results are discarded.
  await setup.watch.forget(setup.id)
  expect(setup.segments()).toEqual(found)
  expect(setup.analysed()).toEqual(before)
  await setup.watch.settled(setup.id)
  expect(setup.failures).toEqual([])
  await setup.inspect(true, false)
  expect(setup.segments()).toHaveLength(turns)
})
