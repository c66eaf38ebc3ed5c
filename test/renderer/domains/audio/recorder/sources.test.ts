import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../../src/renderer/src/domains/audio/recorder/audio/channel.ts'
import {
  defaultGroup,
  listMicrophones,
  microphoneConstraints,
  openMicrophone,
  openSystemAudio,
  SourceError,
  type Devices,
} from '../../../../../src/renderer/src/domains/audio/recorder/audio/sources.ts'
import { keepAwake } from '../../../../../src/renderer/src/domains/audio/recorder/keep-awake.ts'
import { createOutbox } from '../../../../../src/renderer/src/domains/audio/recorder/outbox.ts'
import type { Reply } from '../../../../../src/shared/contract/reply.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

class Track extends EventTarget {
  readonly kind: 'audio' | 'video'
  readonly label: string
  muted = false
  stopped = false
  constructor(kind: 'audio' | 'video', label: string) {
    super()
    this.kind = kind
    this.label = label
  }
  stop(): void {
    this.stopped = true
  }
  getSettings = (): object => ({ deviceId: `id of ${this.label}`, groupId: 'g' })
  fire(type: string): void {
    this.dispatchEvent(new Event(type))
  }
}

/** Returns a stream of such tracks, with the methods in use. */
function streamOf(...tracks: Track[]): MediaStream {
  let all = tracks
  return {
    getTracks: () => all,
    getAudioTracks: () => all.filter(({ kind }) => kind === 'audio'),
    getVideoTracks: () => all.filter(({ kind }) => kind === 'video'),
    removeTrack: (track: unknown) => (all = all.filter((one) => one !== track)),
  } as unknown as MediaStream
}

const failed = (name: string): Error => Object.assign(new Error(name), { name })

describe('channel', () => {
  const build = (reopens: boolean) => {
    const made: Track[] = []
    const connected: (MediaStream | null)[] = []
    const world = {
      gone: false,
      changes: 0,
      pauses: [] as number[],
      go: () => {},
      now: 0,
      step: 10_000,
    }
    const channel = createChannel({
      source: async () => {
        if (world.gone) throw new SourceError('no-device')
        const track = new Track('audio', `device ${made.length + 1}`)
        made.push(track)
        return streamOf(track)
      },
      connect: (stream) => void connected.push(stream),
      onChange: () => void world.changes++,
      reopens,
      wait: (ms) => {
        world.pauses.push(ms)
        return new Promise((resolve) => (world.go = resolve))
      },
      now: () => (world.now += world.step),
    })
    return { channel, made, connected, world }
  }

  test('is silent while its device is unplugged, and reconnects automatically', async () => {
    const { channel, made, connected, world } = build(true)
    await channel.open()
    expect([channel.state, channel.label, channel.deviceId]).toEqual([
      'live',
      'device 1',
      'id of device 1',
    ])
    world.gone = true
    made[0]?.fire('ended')
    expect([channel.state, connected.at(-1)]).toEqual(['lost', null])
    for (let tries = 0; tries < 4; tries++) {
      world.go()
      await turns()
    }
    expect(world.pauses).toEqual([0, 500, 1000, 2000, 5000])
    world.gone = false
    channel.hurry()
    await turns()
    expect([channel.state, channel.label]).toEqual(['live', 'device 2'])
    expect(connected.at(-1)).not.toBeNull()
  })

  test('reports a source that ends at once, and pauses before retrying', async () => {
    const { channel, made, world } = build(true)
    world.step = 1999
    await channel.open()
    made[0]?.fire('ended')
    expect([channel.state, channel.endedAtOnce, world.pauses]).toEqual(['lost', true, [5000]])
    world.go()
    await turns()
    expect([channel.state, channel.endedAtOnce]).toEqual(['live', false])
    world.step = 2000
    made[1]?.fire('ended')
    expect([channel.state, channel.endedAtOnce, world.pauses]).toEqual(['lost', false, [5000, 0]])
    channel.close()
  })

  test('waits for a click if it needs one', async () => {
    const { channel, made, world } = build(false)
    await channel.open()
    made[0]?.fire('ended')
    await turns()
    expect([channel.state, world.pauses]).toEqual(['lost', []])
    await channel.open()
    expect(channel.state).toBe('live')
  })

  test('can be muted and unmuted; a replaced source reports nothing more', async () => {
    const { channel, made } = build(true)
    await channel.open()
    made[0]?.fire('mute')
    expect(channel.state).toBe('muted')
    made[0]?.fire('unmute')
    expect(channel.state).toBe('live')
    await channel.open()
    expect(made[0]?.stopped).toBe(true)
    made[0]?.fire('ended')
    made[0]?.fire('mute')
    expect([channel.state, channel.label]).toEqual(['live', 'device 2'])
  })

  test('opens nothing after it is closed', async () => {
    const { channel, made, world } = build(true)
    await channel.open()
    world.gone = true
    made[0]?.fire('ended')
    channel.close()
    world.gone = false
    world.go()
    await turns()
    expect(made).toHaveLength(1)
  })
})

describe('sources', () => {
  const devices = (change: Partial<Devices>): Devices => ({
    getUserMedia: async () => streamOf(new Track('audio', 'mic')),
    enumerateDevices: async () => [],
    ...change,
  })
  const problem = (opening: Promise<unknown>): Promise<unknown> =>
    opening.then(
      () => null,
      (error: unknown) => (error instanceof SourceError ? error.problem : error),
    )

  test('capture the microphone unprocessed, except for echo cancellation with loudspeakers', () => {
    expect(microphoneConstraints('', 'headset')).toEqual({
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      channelCount: 1,
    })
    expect(microphoneConstraints('x', 'speaker')).toMatchObject({
      deviceId: { exact: 'x' },
      echoCancellation: true,
      autoGainControl: false,
    })
  })

  test('fall back to the default device for a missing one, not for a refusal', async () => {
    const requests: unknown[] = []
    const getUserMedia: Devices['getUserMedia'] = async (constraints) => {
      requests.push(constraints?.audio)
      if (requests.length === 1) throw failed('OverconstrainedError')
      return streamOf(new Track('audio', 'default'))
    }
    await openMicrophone(devices({ getUserMedia }), 'gone', 'headset')
    expect(requests).toHaveLength(2)
    expect(requests[1]).not.toHaveProperty('deviceId')
    const refuse = (name: string): Devices =>
      devices({ getUserMedia: () => Promise.reject(failed(name)) })
    expect(await problem(openMicrophone(refuse('NotAllowedError'), 'x', 'headset'))).toBe('denied')
    expect(await problem(openMicrophone(refuse('NotFoundError'), '', 'headset'))).toBe('no-device')
    expect(await problem(openMicrophone(refuse('NotReadableError'), '', 'headset'))).toBe('busy')
  })

  test('use only the audio of a shared source and stop its video at once', async () => {
    const [videoTrack, audioTrack] = [new Track('video', 'tab'), new Track('audio', 'tab')]
    const stream = streamOf(videoTrack, audioTrack)
    const opened = await openSystemAudio(devices({ getDisplayMedia: async () => stream }))
    expect(videoTrack.stopped).toBe(true)
    expect(opened.getTracks()).toEqual([audioTrack])
    const mute = devices({ getDisplayMedia: async () => streamOf(new Track('video', 'tab')) })
    expect(await problem(openSystemAudio(mute))).toBe('no-audio')
    const declined = { getDisplayMedia: () => Promise.reject(failed('NotAllowedError')) }
    expect(await problem(openSystemAudio(devices(declined)))).toBe('cancelled')
    expect(await problem(openSystemAudio(devices({})))).toBe('unsupported')
  })

  test('list each microphone once and recognize the default by its group', async () => {
    const list = devices({
      enumerateDevices: async () =>
        [
          ['audioinput', 'default', 'Default - A', 'ga'],
          ['audioinput', 'communications', 'Communications - A', 'ga'],
          ['audioinput', 'a', 'A', 'ga'],
          ['audioinput', 'b', 'B', 'gb'],
          ['audiooutput', 'c', 'C', 'gc'],
        ].map(([kind, deviceId, label, groupId]) => ({
          kind,
          deviceId,
          label,
          groupId,
        })) as MediaDeviceInfo[],
    })
    expect((await listMicrophones(list)).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await defaultGroup(list)).toBe('ga')
    expect(await defaultGroup(devices({}))).toBeNull()
  })
})

test('deliver messages in order however long main is unreachable, without rejected ones', async () => {
  const world = { away: true, sent: [] as number[], go: () => {} }
  const fail = (retriable: boolean): Reply<unknown> => ({
    ok: false,
    error: { code: 'INTERNAL', message: '', retriable, at: 0 },
  })
  const outbox = createOutbox(
    async (message: number) => {
      if (world.away) return fail(true)
      if (message === 2) return fail(false)
      world.sent.push(message)
      return { ok: true, data: {} }
    },
    () => new Promise((resolve) => (world.go = resolve)),
  )
  for (const message of [1, 2, 3]) outbox.add(message)
  await turns()
  world.go()
  await turns()
  expect(world.sent).toEqual([])
  let settled = false
  void outbox.settled().then(() => (settled = true))
  await turns()
  expect(settled).toBe(false)
  world.away = false
  outbox.hurry()
  await turns()
  expect([settled, world.sent]).toEqual([true, [1, 3]])
  outbox.add(4)
  await turns()
  expect(world.sent).toEqual([1, 3, 4])
})

test('keep the screen awake, also after the page was hidden, and release it at the end', async () => {
  const locks: { released: boolean; release: () => Promise<void> }[] = []
  const lock = {
    request: async () => {
      const held = { released: false, release: async () => void (held.released = true) }
      locks.push(held)
      return held as unknown as WakeLockSentinel
    },
  }
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const awake = keepAwake(lock, page)
  await turns()
  expect(locks).toHaveLength(1)
  const [first] = locks
  if (first) first.released = true
  page.dispatchEvent(new Event('visibilitychange'))
  await turns()
  expect(locks).toHaveLength(2)
  awake.release()
  page.dispatchEvent(new Event('visibilitychange'))
  await turns()
  expect(locks.map(({ released }) => released)).toEqual([true, true])
})
