import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../../../src/main/errors.ts'
import { createVoiceWatch } from '../../../../src/main/services/meetings/watch.ts'
import type { VoiceWatch } from '../../../../src/main/services/meetings/parts.ts'
import { sessionFolder } from '../../../../src/main/audio/session-folder.ts'
import { openWriter } from '../../../../src/main/audio/session-writer.ts'
import { openStore } from '../../../../src/main/store/open.ts'
import { wholeMs, type Segment } from '../../../../src/shared/model/meeting.ts'
import { interleaved } from '../../app/meeting-setup.ts'
import { talkInTurns } from '../../app/meeting-talk.ts'
import { memoryLog, storeOptions, temporaryHome, workerUrl } from '../../store/fixture.ts'

const rate = 16_000
const turns = 4
const modelsDir = join(import.meta.dirname, '../../../../resources/models')

let sound: Int16Array<ArrayBuffer>
beforeAll(async () => {
  sound = interleaved(await talkInTurns(turns, rate))
})

/** A meeting whose sound is being written, and a watch over a real store that can be begun anew. */
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
    hasSound: true,
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
  const told: Segment[][] = []
  const failures: AppError[] = []
  const waits: number[] = []
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
        segments(...asked) {
          reads.whole += 1
          return store.meetings.segments(...asked)
        },
      },
      ids: () => `segment-${++serial}`,
      log,
      onSegments: (_, segments) => void told.push([...segments]),
      onFailure: (_, error) => void failures.push(error),
      wait: async (ms) => void waits.push(ms),
    })
  const desk = {
    id,
    reads,
    told,
    failures,
    waits,
    log,
    planFile,
    watch: begin(),
    /** Writes sound up to a share of it. */
    write(share: number): void {
      const frames = Math.floor((sound.length / 2) * share)
      const { frames: at } = writer.write(0, new Uint8Array(0), false)
      const more = sound.slice(at * 2, frames * 2)
      writer.write(at, new Uint8Array(more.buffer), false)
      store.meetings.update(id, { durationMs: wholeMs(frames, rate) })
    },
    async look(last = false, live = true): Promise<void> {
      desk.watch.nudge(id, { live, last })
      await desk.watch.settled(id)
    },
    async restart(): Promise<void> {
      await desk.watch.close()
      desk.watch = begin()
    },
    segments: () => store.meetings.segments(id),
    analysed: () => store.meetings.analysed(id),
    durationMs: wholeMs(sound.length / 2, rate),
  }
  onTestFinished(async () => {
    await desk.watch.close()
    writer.close()
    await store.close()
    remove()
  })
  return desk
}

const spans = (segments: readonly Segment[]) =>
  segments.map(({ channel, startMs, endMs }) => ({ channel, startMs, endMs }))

test('a live session is seen segment by segment while it grows, and ends at its last frame', async () => {
  const desk = await setupOf()
  const counts: number[] = []
  for (let step = 1; step <= 10; step++) {
    desk.write(step / 10)
    const before = desk.analysed()
    await desk.look(step === 10)
    desk
      .analysed()
      .forEach((ms, channel) => expect(ms).toBeGreaterThanOrEqual(before[channel] ?? 0))
    counts.push(desk.segments().length)
  }
  // Every turn is a segment, each told once and as soon as its pause was heard.
  expect(desk.segments()).toHaveLength(turns)
  expect(desk.segments().map(({ channel }) => channel)).toEqual([0, 1, 0, 1])
  expect(counts.filter((count, at) => count > (counts[at - 1] ?? 0)).length).toBeGreaterThanOrEqual(
    3,
  )
  expect(spans(desk.told.flat()).toSorted((a, b) => a.startMs - b.startMs)).toEqual(
    spans(desk.segments()),
  )
  expect(desk.analysed()).toEqual([desk.durationMs, desk.durationMs])
  expect(desk.failures).toEqual([])
  // A recording of hours is not read whole with every second of it.
  expect(desk.reads.whole).toBe(0)
})

test('a restart in the middle goes on where the store stands: what was found stays, nothing is found twice or left out', async () => {
  const undisturbed = await setupOf()
  undisturbed.write(1)
  await undisturbed.look(true)
  const desk = await setupOf()
  for (const share of [0.45, 1]) {
    desk.write(share)
    await desk.look()
    const kept = desk.segments()
    const stands = desk.analysed()
    await desk.restart()
    expect(desk.analysed()).toEqual(stands)
    desk.watch.nudge(desk.id, { live: true, last: share === 1 })
    await desk.watch.settled(desk.id)
    expect(desk.segments().slice(0, kept.length)).toEqual(kept)
    expect(kept.length).toBeGreaterThan(0)
  }
  expect(desk.segments()).toHaveLength(turns)
  // The detector begins with no memory: an edge may lie a frame or two away.
  const wanted = spans(undisturbed.segments())
  for (const [at, found] of spans(desk.segments()).entries()) {
    expect(found.channel).toBe(wanted[at]?.channel)
    expect(Math.abs(found.startMs - (wanted[at]?.startMs ?? 0))).toBeLessThanOrEqual(96)
    expect(Math.abs(found.endMs - (wanted[at]?.endMs ?? 0))).toBeLessThanOrEqual(96)
  }
})

test('a worker that dies and a detector that fails are tried again, and nothing is missing', async () => {
  const desk = await setupOf(['die', 'fail', 'go', 'fail', 'die'])
  desk.write(1)
  await desk.look(true, false)
  expect(desk.segments()).toHaveLength(turns)
  expect(desk.failures).toEqual([])
  expect(desk.waits).toEqual([200, 1_000, 200, 1_000])
  expect(desk.log.lines.filter((line) => line.includes('tries again'))).toHaveLength(
    desk.waits.length,
  )
})

test('a worker that fails for good is told once, and the next nudge begins where the store stands', async () => {
  const desk = await setupOf(Array.from({ length: 5 }, () => 'fail'))
  desk.write(0.5)
  await desk.look(false, false)
  expect(desk.failures).toHaveLength(1)
  expect(desk.waits).toEqual([200, 1_000, 5_000, 15_000])
  expect(desk.segments()).toEqual([])
  expect(desk.analysed()).toEqual([0, 0])
  expect(readFileSync(desk.planFile, 'utf8')).toBe('')
  desk.write(1)
  await desk.look(true, false)
  expect(desk.failures).toHaveLength(1)
  expect(desk.segments()).toHaveLength(turns)
})

test('a meeting that is forgotten is not looked at any more, and can be looked at again', async () => {
  const desk = await setupOf()
  desk.write(0.6)
  await desk.look(false, false)
  const found = desk.segments()
  const stands = desk.analysed()
  expect(found.length).toBeGreaterThan(0)
  desk.write(1)
  desk.watch.nudge(desk.id, { live: false, last: true })
  // In the middle of a look: what it finds is let go of.
  await desk.watch.forget(desk.id)
  expect(desk.segments()).toEqual(found)
  expect(desk.analysed()).toEqual(stands)
  await desk.watch.settled(desk.id)
  expect(desk.failures).toEqual([])
  await desk.look(true, false)
  expect(desk.segments()).toHaveLength(turns)
})
