import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRunWatch, removeRunMark } from '../../../../src/main/hosts/support/run-mark.ts'
import type { RunWork } from '../../../../src/shared/model/run-mark.ts'
import { temporaryHome } from '../../platform/database/fixture.ts'

let home: ReturnType<typeof temporaryHome>
let now = 0
let work: readonly RunWork[] = []
let warned: unknown[] = []
const start = Date.UTC(2026, 10, 20, 9, 30)
beforeEach(() => {
  vi.useFakeTimers()
  home = temporaryHome()
  mkdirSync(home.home, { recursive: true })
  ;[now, work, warned] = [start, [], []]
})
afterEach(() => {
  vi.useRealTimers()
  home.remove()
})

/** A run of Lectern in this data folder; the computer was started an hour before the first one. */
const run = (more: { readonly version?: string; readonly uptimeMs?: number } = {}) =>
  createRunWatch({
    home: home.home,
    version: more.version ?? '1.0.0',
    clock: () => now,
    log: { info() {}, warn: (...args) => void warned.push(args), error() {} },
    underWay: () => work,
    uptimeMs: () => more.uptimeMs ?? now - start + 3_600_000,
  })
/** Advances the clock. */
const pass = (ms: number): void => {
  for (let left = ms; left > 0; left -= 1000) {
    now += 1000
    vi.advanceTimersByTime(1000)
  }
}

test('reports after a killed run when it ended and what was running', () => {
  run().start()
  work = ['recording', 'chats']
  pass(100_000)
  vi.clearAllTimers()
  now += 7_200_000
  const { lastRun } = run()
  expect(lastRun).toMatchObject({ startedAt: start, work: ['recording', 'chats'] })
  expect(lastRun?.seenAt).toBeGreaterThan(start + 30_000)
  expect(lastRun?.seenAt).toBeLessThanOrEqual(start + 100_000)
  expect(JSON.stringify(warned)).toContain('did not exit cleanly')
  expect(JSON.stringify(warned)).toContain('recording')
})

test('reports nothing after a run that was closed', () => {
  const first = run()
  first.start()
  pass(100_000)
  first.end()
  pass(100_000)
  expect(run().lastRun).toBeNull()
  expect(warned).toEqual([])
  expect(existsSync(join(home.home, 'running.json'))).toBe(false)
})

test('ignores a reported crash, a computer restart and a different version', () => {
  run().start()
  expect(run({ version: '1.1.0' }).lastRun).toBeNull()
  expect(run({ uptimeMs: 1000 }).lastRun).not.toBeNull()
  now += 60_000
  expect(run({ uptimeMs: 30_000 }).lastRun).toBeNull()
  expect(run().lastRun).not.toBeNull()
  removeRunMark(home.home)
  // A timer that is still running does not create the mark again.
  pass(100_000)
  expect(run().lastRun).toBeNull()
})

test('reports nothing about a start that did not complete', () => {
  run()
  expect(run().lastRun).toBeNull()
})

test('ignores a library that cannot report its work, and a damaged mark', () => {
  const watch = createRunWatch({
    home: home.home,
    version: '1.0.0',
    clock: () => now,
    log: { info() {}, warn() {}, error() {} },
    underWay() {
      throw new Error('busy')
    },
  })
  watch.start()
  pass(100_000)
  const path = join(home.home, 'running.json')
  expect(readFileSync(path, 'utf8')).toContain('1.0.0')
  writeFileSync(path, '{"version":')
  expect(run().lastRun).toBeNull()
})
