import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import {
  columnsOf,
  growPeaks,
  peaksHeaderBytes,
  peaksEnd,
  readPeaks,
  type Peaks,
} from '../../../../../src/renderer/src/domains/audio/meetings/peaks.ts'
import { usePeaks } from '../../../../../src/renderer/src/domains/audio/meetings/use-peaks.ts'
import { rendererSetup } from '../../../stores.ts'
import { datFile, peaksOf } from './dat-file.ts'

const columns = (peaks: Peaks, channel: number, start: number, perPixel: number, count: number) => {
  const out = new Float32Array(count * 2)
  columnsOf(peaks, channel, start, perPixel, out)
  return [...out].map((value) => Math.round(value * 100) / 100)
}

test('reads a two-channel file: 50 ms per pair, with the maximum of each channel', () => {
  const peaks = peaksOf(2, [-10, 20, -1, 2, -40, 30, -3, 4])
  expect(peaks).toMatchObject({ channels: 2, pairMs: 50, pairs: 2, loudest: [40, 4] })
  expect(peaksEnd(peaks)).toBe(peaksHeaderBytes + 8)
})

test('rejects other versions, 16 bits and a cut header, and drops an incomplete pair', () => {
  expect(readPeaks(datFile(1, [0, 1], { version: 1 }))).toBeNull()
  expect(readPeaks(datFile(1, [0, 1], { flags: 0 }))).toBeNull()
  expect(readPeaks(new ArrayBuffer(10))).toBeNull()
  expect(peaksOf(2, [-1, 1, -1, 1, -9, 9]).pairs).toBe(1)
})

test('appends new data after the last complete pair', () => {
  const first = peaksOf(1, [-5, 5, -6])
  const grown = growPeaks(first, new Int8Array([-7, 7, -50, 60]).buffer)
  expect([...grown.data.subarray(0, 6)]).toEqual([-5, 5, -7, 7, -50, 60])
  expect(grown).toMatchObject({ pairs: 3, loudest: [60] })
})

test('combines minimum and maximum of its pairs in a wide column, per channel', () => {
  const peaks = peaksOf(2, [-10, 20, -100, 100, -40, 5, -50, 50])
  expect(columns(peaks, 0, 0, 100, 1)).toEqual([-1, 0.5])
  expect(columns(peaks, 1, 0, 50, 2)).toEqual([-1, 1, -0.5, 0.5])
})

test('interpolates a narrow column and is flat before the start and after the end', () => {
  const peaks = peaksOf(1, [0, 0, -100, 100])
  const [, first = 0, , second = 0] = columns(peaks, 0, 25, 25, 2)
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first)
  expect(columns(peaks, 0, 100, 50, 2)).toEqual([0, 0, 0, 0])
  expect(columns(peaks, 0, -200, 50, 2)).toEqual([0, 0, 0, 0])
})

test('shows hours at a glance with the same peaks as pair by pair, also for growing peaks', () => {
  let seed = 7
  const values = Array.from({ length: 4 * 1003 }, (_, at) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return at % 2 === 0 ? -(seed % 128) : seed % 127
  })
  const whole = peaksOf(2, values)
  const begun = peaksOf(2, values.slice(0, 4 * 37))
  const grown = growPeaks(begun, Int8Array.from(values.slice(4 * 37)).buffer)
  expect(grown).toEqual(whole)
  for (const [start, perPixel, count] of [
    [0, 5015, 10],
    [-120, 1733, 30],
    [350, 801, 60],
  ] as const) {
    const plain = Array.from({ length: count }, (_, column) => {
      const from = Math.max(0, Math.floor((start + column * perPixel) / 50))
      const to = Math.min(1003, Math.ceil((start + (column + 1) * perPixel) / 50))
      const pairs = Array.from({ length: Math.max(0, to - from) }, (__, at) => (from + at) * 4 + 2)
      const loudest = whole.loudest[1] ?? 1
      return [
        Math.min(...pairs.map((at) => values[at] ?? 0)) / loudest,
        Math.max(...pairs.map((at) => values[at + 1] ?? 0)) / loudest,
      ].map((value) => (pairs.length === 0 ? 0 : Math.round(value * 100) / 100 || 0))
    })
    expect(columns(whole, 1, start, perPixel, count)).toEqual(plain.flat())
  }
})

test('reads growing peaks from their end, and the last part once they stop growing', async () => {
  let file = datFile(1, [-1, 1])
  const requestedRanges: string[] = []
  const server = createServer((request, response) => {
    const range = /bytes=(\d+)-/.exec(request.headers.range ?? '')
    requestedRanges.push(request.headers.range ?? 'all')
    const from = Number(range?.[1] ?? 0)
    if (from >= file.byteLength) response.writeHead(416).end()
    else response.writeHead(range ? 206 : 200).end(Buffer.from(file.slice(from)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { client } = rendererSetup()
  const { peaks, open, follow, close } = usePeaks({
    ...client,
    mediaUrl: (id) => `http://127.0.0.1:${port}/${id}`,
  })
  open('m1')
  expect(requestedRanges).toEqual([])
  follow(0, true)
  expect(requestedRanges).toEqual([])
  follow(50, true)
  await vi.waitFor(() => expect(peaks.value?.pairs).toBe(1))
  file = datFile(1, [-1, 1, -2, 2, -3, 3])
  follow(150, false)
  await vi.waitFor(() => expect(peaks.value?.pairs).toBe(3))
  // From the last known pair: there might be nothing after the end.
  expect(requestedRanges).toEqual(['all', `bytes=${peaksHeaderBytes}-`])
  close()
  expect(peaks.value).toBeNull()
  await new Promise((resolve) => server.close(resolve))
})

test('reports missing peaks once nothing can add them', async () => {
  const { client } = rendererSetup()
  const none = usePeaks(client, () => Promise.resolve(null))
  none.open('m1', true)
  await vi.waitFor(() => expect(none.missing.value).toBe(true))
  none.open('m2')
  none.follow(500, true)
  await Promise.resolve()
  expect(none.missing.value).toBe(false)
  none.close()
})
