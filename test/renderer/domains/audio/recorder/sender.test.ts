import { expect, test } from 'vitest'
import type { CaptureReply } from '../../../../../src/shared/contract/transport.ts'
import {
  retryPauseMs,
  type PutOutcome,
} from '../../../../../src/renderer/src/domains/audio/recorder/audio/delivery.ts'
import type { SenderMessage } from '../../../../../src/renderer/src/domains/audio/recorder/audio/messages.ts'
import { createSender } from '../../../../../src/renderer/src/domains/audio/recorder/audio/sender.ts'

const rate = 1000
const blockFrames = 100

/** A main process that writes what it receives, and can be unreachable, forgetful or full. */
function world(options: { readonly keepSeconds?: number } = {}) {
  const disk: number[] = []
  const messages: SenderMessage[] = []
  const puts: { frame: number; fill: boolean; frames: number }[] = []
  const pauses: number[] = []
  const state = {
    away: false,
    refused: false,
    full: false,
    loseReply: false,
    inFlight: 0,
    maxInFlight: 0,
  }
  let free: (() => void)[] = []
  const put = async (frame: number, fill: boolean, samples: Int16Array): Promise<PutOutcome> => {
    state.maxInFlight = Math.max(state.maxInFlight, ++state.inFlight)
    puts.push({ frame, fill, frames: samples.length / 2 })
    await Promise.resolve()
    state.inFlight--
    if (state.away) return { type: 'away' }
    if (state.refused) return { type: 'refused' }
    const reply = (change: Partial<CaptureReply>): PutOutcome => ({
      type: 'answer',
      reply: { frames: disk.length, wanted: false, full: false, ...change },
    })
    if (state.full) return reply({ full: true })
    if (frame > disk.length && !fill) return reply({ wanted: true })
    while (disk.length < frame) disk.push(0)
    for (let at = disk.length - frame; at < samples.length / 2; at++)
      disk.push(samples[at * 2] ?? Number.NaN)
    if (state.loseReply) {
      state.loseReply = false
      return { type: 'away' }
    }
    return reply({})
  }
  const sender = createSender({
    channels: 2,
    sampleRate: rate,
    put,
    wait: (ms) => {
      pauses.push(ms)
      return new Promise((resolve) => free.push(resolve))
    },
    post: (message) => messages.push(message),
    ...options,
  })
  let seq = 0
  let frame = 0
  let now = 0
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn++) await Promise.resolve()
  }
  return {
    disk,
    messages,
    puts,
    pauses,
    state,
    settle,
    /** Sends blocks whose samples are their frame number. */
    record(blocks: number) {
      for (let at = 0; at < blocks; at++) {
        const samples = new Int16Array(blockFrames * 2)
        for (let n = 0; n < blockFrames; n++) samples.fill((frame + n) % 30_000, n * 2, n * 2 + 2)
        now += blockFrames
        sender.take({ type: 'block', seq: seq++, frame, samples, wallMs: 1e12 + now }, now)
        frame += blockFrames
      }
    },
    sleep: (ms: number) => (now += ms),
    skip: (frames: number) => {
      frame += frames
      now += frames
    },
    mark: (type: 'paused' | 'resumed' | 'ended') => sender.take({ type, frame }, now),
    async free() {
      const waiting = free
      free = []
      for (const go of waiting) go()
      await settle()
    },
    of: <T extends SenderMessage['type']>(type: T) =>
      messages.filter((one): one is Extract<SenderMessage, { type: T }> => one.type === type),
    last: () => messages.findLast((one) => one.type === 'progress'),
  }
}

const counted = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at)

test('delivers every frame once and in order, with one block in flight', async () => {
  const main = world()
  main.record(25)
  await main.settle()
  main.mark('ended')
  await main.settle()
  expect(main.disk).toEqual(counted(0, 2500))
  expect(main.state.maxInFlight).toBe(1)
  expect(main.puts.some(({ fill }) => fill)).toBe(false)
  expect(main.of('done')).toEqual([{ type: 'done', frames: 2500, written: 2500 }])
  expect(main.last()).toMatchObject({ recorded: 2500, written: 2500, state: 'ok' })
})

test('buffers audio while main is unreachable, backs off, then sends several blocks at once', async () => {
  const main = world()
  main.record(3)
  await main.settle()
  main.state.away = true
  main.record(4)
  await main.settle()
  for (let tries = 0; tries < 3; tries++) {
    main.record(20)
    await main.free()
  }
  expect(main.last()).toMatchObject({ recorded: 6700, written: 300, state: 'retrying' })
  expect(main.pauses).toEqual([250, 500, 1000, 2000])
  main.state.away = false
  const before = main.puts.length
  await main.free()
  expect(main.disk).toEqual(counted(0, 6700))
  expect(main.puts.slice(before)).toEqual([
    { frame: 300, fill: false, frames: 5000 },
    { frame: 5300, fill: false, frames: 1400 },
  ])
  expect(main.last()).toMatchObject({ written: 6700, state: 'ok' })
  expect([1, 5, 6, 7, 30].map(retryPauseMs)).toEqual([250, 4000, 8000, 10_000, 10_000])
})

test('resends a block whose response was lost, which is written once', async () => {
  const main = world()
  main.state.loseReply = true
  main.record(1)
  await main.settle()
  main.record(2)
  await main.free()
  expect(main.disk).toEqual(counted(0, 300))
  expect(main.of('gap')).toEqual([])
})

test('continues at main’s position after a restart and reports lost frames', async () => {
  const main = world()
  main.record(10)
  await main.settle()
  // The writer died and its recovery left less than was confirmed.
  main.disk.length = 950
  main.record(2)
  await main.settle()
  await main.free()
  expect(main.disk.length).toBe(1200)
  expect(main.disk.slice(950, 1000).every((sample) => sample === 0)).toBe(true)
  expect(main.disk.slice(1000)).toEqual(counted(1000, 1200))
  expect(main.of('gap')).toEqual([{ type: 'gap', frame: 950, endFrame: 1000, reason: 'lost' }])
})

test('reports full memory and a gap of exact length', async () => {
  const main = world({ keepSeconds: 6 })
  main.state.away = true
  main.record(80)
  await main.settle()
  expect(main.last()).toMatchObject({ recorded: 8000, written: 0, state: 'overload' })
  main.state.away = false
  await main.free()
  main.record(5)
  await main.settle()
  expect(main.disk.length).toBe(8500)
  expect(main.disk.slice(0, 6000)).toEqual(counted(0, 6000))
  expect(main.disk.slice(6000, 8000).every((sample) => sample === 0)).toBe(true)
  expect(main.disk.slice(8000)).toEqual(counted(8000, 8500))
  expect(main.of('gap')).toEqual([{ type: 'gap', frame: 6000, endFrame: 8000, reason: 'overload' }])
  expect(main.last()).toMatchObject({ written: 8500, state: 'ok' })
})

test('has the full length when a recording ends in a gap', async () => {
  const main = world({ keepSeconds: 6 })
  main.state.away = true
  main.record(80)
  await main.settle()
  main.mark('ended')
  expect(main.of('done')).toEqual([])
  main.state.away = false
  await main.free()
  expect(main.disk.length).toBe(8000)
  expect(main.of('done')).toEqual([{ type: 'done', frames: 8000, written: 8000 }])
})

test('fills a suspended source with silence of the same length', async () => {
  const main = world()
  main.record(30)
  main.sleep(20_000)
  main.record(30)
  await main.settle()
  main.mark('ended')
  await main.settle()
  expect(main.of('gap')).toEqual([
    { type: 'gap', frame: 3000, endFrame: 23_000, reason: 'suspended' },
  ])
  expect(main.disk.slice(23_000)).toEqual(counted(3000, 6000))
  expect(main.of('done')).toEqual([{ type: 'done', frames: 26_000, written: 26_000 }])
})

test('reports hours of system sleep and omits them', async () => {
  const main = world()
  main.record(30)
  main.sleep(8 * 3_600_000)
  main.record(30)
  await main.settle()
  expect(main.of('slept')).toEqual([{ type: 'slept', ms: 8 * 3_600_000 }])
  expect(main.disk).toEqual(counted(0, 6000))
})

test('reports a pause at its time, not as a gap', async () => {
  const main = world()
  main.record(30)
  main.mark('paused')
  main.sleep(90_000)
  main.mark('resumed')
  main.record(30)
  await main.settle()
  expect(main.disk).toEqual(counted(0, 6000))
  expect(main.of('gap')).toEqual([])
  expect(main.of('paused')).toEqual([{ type: 'paused', frame: 3000 }])
  expect(main.of('resumed')).toEqual([{ type: 'resumed', frame: 3000 }])
})

test('fills and reports a gap in the worklet’s own count', async () => {
  const main = world()
  main.record(5)
  main.skip(200)
  main.record(5)
  await main.settle()
  expect(main.of('gap')).toEqual([{ type: 'gap', frame: 500, endFrame: 700, reason: 'lost' }])
  expect(main.disk.length).toBe(1200)
})

test('ends when the disk is full, and buffers nothing for a closed session', async () => {
  const main = world()
  main.record(5)
  await main.settle()
  main.state.full = true
  main.record(5)
  await main.settle()
  expect(main.last()).toMatchObject({ written: 500, state: 'full' })
  main.record(5)
  main.mark('ended')
  await main.settle()
  expect(main.of('done')).toEqual([{ type: 'done', frames: 1500, written: 500 }])
})

test('distinguishes a rejecting main from an unreachable one, and retries', async () => {
  const main = world()
  main.state.refused = true
  main.record(2)
  await main.settle()
  expect(main.last()).toMatchObject({ state: 'refused', written: 0 })
  main.state.refused = false
  await main.free()
  expect(main.disk).toEqual(counted(0, 200))
})

test('reports a wrong frame rate once, and its recovery', async () => {
  const main = world()
  const run = (blocks: number, lateMs: number): void => {
    for (let at = 0; at < blocks; at++) {
      main.record(1)
      main.sleep(lateMs)
    }
  }
  run(500, 12)
  await main.settle()
  expect(main.of('wrong-rate')).toHaveLength(1)
  expect(main.of('wrong-rate')[0]?.ppm).toBeLessThan(-80_000)
  expect(main.of('gap')).toEqual([])
  run(500, 0)
  await main.settle()
  expect(main.of('wrong-rate').map(({ ppm }) => ppm !== 0)).toEqual([true, false])
})
