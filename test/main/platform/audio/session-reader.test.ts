import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  sessionFiles,
  type SessionHead,
} from '../../../../src/main/platform/audio/session-files.ts'
import { openSession } from '../../../../src/main/platform/audio/session-reader.ts'
import { waveHeader } from '../../../../src/shared/audio/wave-header.ts'

let root = ''
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'lectern-reader-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const head: SessionHead = {
  version: 1,
  id: 'm1',
  title: 'Weekly',
  state: 'open',
  roles: ['mic', 'others'],
  sampleRate: 48_000,
  labels: [],
  startedAt: 1,
  owner: { pid: 1, run: 'r' },
  frames: null,
}

/** Returns frames whose samples encode their position: frame number on the left, its negative on the right. */
const numbered = (from: number, count: number): Uint8Array =>
  new Uint8Array(
    Int16Array.from({ length: count * 2 }, (_, i) => (i % 2 ? -1 : 1) * (from + (i >> 1))).buffer,
  )

async function session(
  name: string,
  lengths: readonly number[],
  withHead = true,
): Promise<ReturnType<typeof sessionFiles>> {
  const files = sessionFiles(join(root, name))
  await mkdir(files.folder)
  if (withHead) await writeFile(files.head, JSON.stringify(head))
  let at = 0
  for (const [i, frames] of lengths.entries()) {
    // The sizes in the header are wrong on purpose: those of a session being written are updated a second late.
    const header = waveHeader({ channels: 2, sampleRate: 48_000 }, 0)
    await writeFile(files.part(i + 1), Buffer.concat([header, numbered(at, frames)]))
    at += frames
  }
  return files
}

const left = (samples: Int16Array): number[] => Array.from(samples).filter((_, i) => i % 2 === 0)

test('reads across part boundaries, and stops at the end', async () => {
  const { folder } = await session('parts', [100, 50, 10])
  const reader = openSession(folder)
  expect(reader.frames()).toBe(160)
  expect(left(reader.read(95, 10))).toEqual([95, 96, 97, 98, 99, 100, 101, 102, 103, 104])
  expect(left(reader.read(90, 1000))).toEqual(Array.from({ length: 70 }, (_, i) => 90 + i))
  expect(reader.read(160, 5)).toHaveLength(0)
  expect(reader.read(5000, 5)).toHaveLength(0)
  const into = new Int16Array(8)
  expect(Array.from(reader.read(148, 100, into))).toEqual([
    148, -148, 149, -149, 150, -150, 151, -151,
  ])
  expect(into[7]).toBe(-151)
  reader.close()
})

test('detects growing audio, within a part and into the next one', async () => {
  const files = await session('grows', [10])
  const reader = openSession(files.folder)
  await appendFile(files.part(1), numbered(10, 5))
  expect(reader.frames()).toBe(15)
  // An incomplete frame does not count.
  await appendFile(files.part(1), Buffer.from([1, 2]))
  expect(reader.frames()).toBe(15)
  await truncate(files.part(1), 44 + 15 * 4)
  await writeFile(files.part(2), Buffer.concat([new Uint8Array(44), numbered(15, 5)]))
  expect(left(reader.read(13, 7))).toEqual([13, 14, 15, 16, 17, 18, 19])
  reader.close()
})

test('rebuilds a missing or damaged header from the audio', async () => {
  const files = await session('headless', [10], false)
  const reader = openSession(files.folder)
  expect(reader.head).toMatchObject({
    id: 'headless',
    sampleRate: 48_000,
    roles: ['mic', 'others'],
  })
  await writeFile(files.head, '{"version":1,"id":')
  expect(openSession(files.folder).channels).toBe(2)
  reader.close()
})

test('reports a missing session', async () => {
  expect(() => openSession(join(root, 'nowhere'))).toThrow('is missing')
  await mkdir(join(root, 'empty'))
  expect(() => openSession(join(root, 'empty'))).toThrow('is missing')
})
