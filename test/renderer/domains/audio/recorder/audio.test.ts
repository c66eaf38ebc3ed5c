import { describe, expect, test } from 'vitest'
import {
  createBlockPacker,
  toInt16,
  type Block,
} from '../../../../../src/renderer/src/domains/audio/recorder/audio/block-packer.ts'
import {
  createLevelMeter,
  meterPosition,
} from '../../../../../src/renderer/src/domains/audio/recorder/audio/level-meter.ts'
import { createTimekeeper } from '../../../../../src/renderer/src/domains/audio/recorder/audio/timekeeper.ts'

const quantum = (value: number): Float32Array => new Float32Array(128).fill(value)

describe('blocks', () => {
  test('are interleaved, numbered and contiguous', () => {
    const blocks: Block[] = []
    const packer = createBlockPacker(2, 1000, (block) => blocks.push(block))
    for (let at = 0; at < 20; at++) packer.take([quantum(0.5), quantum(-0.25)], 128)
    packer.flush()
    packer.flush()
    expect(packer.frame).toBe(2560)
    expect(blocks.map(({ seq, frame, samples }) => [seq, frame, samples.length])).toEqual([
      [0, 0, 2000],
      [1, 1000, 2000],
      [2, 2000, 1120],
    ])
    for (const { samples } of blocks) expect(new Set(samples)).toEqual(new Set([16_384, -8192]))
    expect([...(blocks[2]?.samples.slice(0, 3) ?? [])]).toEqual([16_384, -8192, 16_384])
  })

  test('contain silence for a channel without a source', () => {
    const blocks: Block[] = []
    const packer = createBlockPacker(2, 128, (block) => blocks.push(block))
    packer.take([undefined, quantum(1)], 128)
    expect(blocks[0]?.samples.filter((_, at) => at % 2 === 0).every((one) => one === 0)).toBe(true)
    expect(blocks[0]?.samples[1]).toBe(32_767)
  })

  test('clip loud samples and silence NaN', () => {
    expect([0, 1, -1, 3, -3, 0.5, Number.NaN].map(toInt16)).toEqual([
      0, 32_767, -32_768, 32_767, -32_768, 16_384, 0,
    ])
  })
})

describe('levels', () => {
  test('count every sample, per channel', () => {
    const meter = createLevelMeter(2)
    const click = quantum(0)
    click[77] = -0.8
    meter.take([click, undefined], 128)
    meter.take([quantum(0), undefined], 128)
    expect(meter.frames).toBe(256)
    const [one, two] = meter.read()
    expect(one?.peak).toBeCloseTo(0.8)
    expect(one?.rms).toBeCloseTo(0.8 / 16)
    expect(one?.zero).toBe(false)
    expect(two).toEqual({ peak: 0, rms: 0, zero: true })
    expect(meter.read()[0]).toEqual({ peak: 0, rms: 0, zero: true })
  })

  test('are shown in decibels', () => {
    expect([0, 0.0005, 0.001, 1, 2].map(meterPosition)).toEqual([0, 0, 0, 1, 1])
    expect(meterPosition(0.1)).toBeCloseTo(2 / 3)
  })
})

describe('clocks', () => {
  const rate = 48_000
  const blockMs = (8192 / rate) * 1000
  interface Run {
    clock: ReturnType<typeof createTimekeeper>
    gaps: number[]
    held: number
    wall: number
    steady: number
    go(blocks: number, pace?: number): void
  }
  const start = (): Run => {
    const run: Run = {
      clock: createTimekeeper(rate),
      gaps: [],
      held: 0,
      wall: 1_800_000_000_000,
      steady: 5000,
      go(blocks, pace = 1) {
        for (let at = 0; at < blocks; at++) {
          run.wall += blockMs * pace
          run.steady += blockMs * pace
          const result = run.clock.take({ frames: 8192, wallMs: run.wall, steadyMs: run.steady })
          if (result.hold) run.held++
          if (result.gapMs !== null) run.gaps.push(result.gapMs)
        }
      },
    }
    return run
  }

  test('detect a suspended source as a gap of its length', () => {
    const run = start()
    run.go(50)
    run.wall += 42_000
    run.steady += 42_000
    run.go(20)
    expect(run.gaps).toEqual([42_000])
    expect(run.held).toBeGreaterThan(3)
    run.go(50)
    expect(run.gaps).toHaveLength(1)
  })

  test('detect sleep with a stopped monotonic clock as a gap, but not a clock change', () => {
    const slept = start()
    slept.go(50)
    slept.wall += 600_000
    slept.go(20)
    expect(slept.gaps).toEqual([600_000])
    const set = start()
    set.go(50)
    set.wall += 3000
    set.go(20)
    set.wall -= 7_200_000
    set.go(20)
    expect(set.gaps).toEqual([0])
  })

  test('do not detect late blocks as a gap', () => {
    const run = start()
    run.go(50)
    run.wall += 3000
    run.steady += 3000
    // Buffered blocks arrive in a burst until the lag is gone.
    run.go(Math.ceil(3000 / blockMs), 0)
    run.go(30)
    expect(run.gaps).toEqual([0])
  })

  test('report drift in ppm and a wrong rate within 40 s, but not a second of delay', () => {
    const run = start()
    run.go(100)
    expect(run.clock.driftPpm()).toBeNull()
    run.go(500, 1 / 1.0001)
    expect(run.clock.driftPpm()).toBeGreaterThan(50)
    expect(run.clock.driftPpm()).toBeLessThan(110)
    expect(Math.abs(run.clock.paceError() ?? 1)).toBeLessThan(0.001)
    // A second late on a busy machine, and back on time.
    run.go(10, 2)
    run.go(300)
    expect(Math.abs(run.clock.paceError() ?? 1)).toBeLessThan(0.06)
    run.go(400, 0.9)
    expect(run.clock.paceError()).toBeGreaterThan(0.05)
    run.clock.restart()
    expect([run.clock.driftPpm(), run.clock.paceError()]).toEqual([null, null])
  })
})
