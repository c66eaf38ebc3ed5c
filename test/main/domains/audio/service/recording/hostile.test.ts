import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { captureFrameHeader } from '../../../../../../src/shared/contract/transport.ts'
import type { CaptureEvent } from '../../../../../../src/shared/model/meeting.ts'
import type { Capture } from '../../../../../../src/main/domains/audio/service/recording/capture.ts'
import { gapsOf } from '../../../../../../src/main/platform/audio/session-gaps.ts'
import { signal, temporaryFolder } from '../../worker/fixture.ts'
import { codeOf } from '../../../../platform/database/fixture.ts'
import { put, recording, startCapture } from './fixture.ts'

const root = temporaryFolder()
const started: Capture[] = []
afterAll(async () => {
  await Promise.all(started.map((capture) => capture.shutdown()))
  root.remove()
})

function start(name: string): Capture {
  const { capture } = startCapture(join(root.path, name))
  started.push(capture)
  return capture
}

/** A block whose body starts and never ends. */
function endless(capture: Capture, id: string): Promise<unknown> {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      controller.desiredSize === null || sent++ > 0
        ? new Promise<void>(() => {})
        : controller.enqueue(signal(0, 10)),
  })
  let sent = 0
  const request = new Request(`http://127.0.0.1/capture/${id}`, {
    method: 'PUT',
    headers: { [captureFrameHeader]: '100' },
    body,
    duplex: 'half',
  })
  return capture.take(request, id).then((response) => response.json())
}

test('an endless block delays neither a stop, nor a removal, nor the end of the app', async () => {
  const capture = start('endless')
  await capture.begin(recording('m1'))
  await capture.begin(recording('m2'))
  await put(capture, 'm1', 0, signal(0, 100))
  const stuck = [endless(capture, 'm1'), endless(capture, 'm2')]
  expect(await capture.stop('m1')).toEqual({ writtenMs: 13 })
  await capture.remove(['m2'])
  for (const answer of await Promise.all(stuck)) expect(answer).toMatchObject({ ok: false })
  await capture.begin(recording('m3'))
  const last = endless(capture, 'm3')
  await capture.shutdown()
  expect(await last).toMatchObject({ ok: false })
})

test('limits the number of sessions, and does not count ended ones', async () => {
  const capture = start('many')
  const codes = await Promise.all(
    Array.from({ length: 12 }, (_, n) => codeOf(() => capture.begin(recording(`m${n}`)))),
  )
  const refused = codes.filter((code) => code === 'REFUSED')
  expect(refused).toHaveLength(4)
  await capture.stop('m0')
  await capture.begin(recording('again'))
})

test('rejects impossible events and does not save them', async () => {
  const capture = start('events')
  await capture.begin({ ...recording('m1'), roles: ['mic'] })
  await put(capture, 'm1', 0, signal(0, 100, 1))
  const gap = { type: 'gap', atMs: 10, endMs: 5, channel: null, reason: 'device' } as const
  const wrong: readonly CaptureEvent[] = [
    gap,
    { ...gap, endMs: 10 },
    { ...gap, endMs: 20, channel: 1 },
    { type: 'device', atMs: 0, channel: 1, label: 'x' },
    { type: 'zeros', atMs: 0, channel: 1 },
  ]
  for (const event of wrong)
    expect(await codeOf(() => capture.event('m1', event)), JSON.stringify(event)).toBe(
      'BAD_REQUEST',
    )
  await capture.event('m1', { ...gap, endMs: 12 })
  expect(await capture.stop('m1')).toEqual({ writtenMs: 13 })
})

test('reports a journal of a hundred thousand gaps like one with a few', () => {
  const events = (count: number): CaptureEvent[] =>
    Array.from({ length: count }, (_, n) => ({
      type: 'gap',
      atMs: n * 10,
      endMs: n * 10 + 5,
      channel: n % 2,
      reason: n % 3 === 0 ? 'lost' : 'device',
    }))
  const many = gapsOf(events(100_000), 10_000_000)
  const few = gapsOf(events(100), 10_000_000)
  expect(many.slice(0, 60)).toEqual(few.slice(0, 60))
  expect(many.filter(({ reason }) => reason === 'device')).toHaveLength(66_666)
})
