import { describe, expect, test } from 'vitest'
import type { ChannelLevel } from '../../../../../src/renderer/src/domains/audio/recorder/audio/messages.ts'
import {
  countdownSeconds,
  createAutoStop,
} from '../../../../../src/renderer/src/domains/audio/recorder/auto-stop.ts'
import { createChannelLog } from '../../../../../src/renderer/src/domains/audio/recorder/gaps.ts'
import {
  createHealth,
  type HealthEvent,
} from '../../../../../src/renderer/src/domains/audio/recorder/recording-health.ts'
import {
  readPreferences,
  writePreferences,
} from '../../../../../src/renderer/src/domains/audio/recorder/recorder-preferences.ts'
import { createAudioCheck } from '../../../../../src/renderer/src/domains/audio/recorder/audio-check.ts'
import {
  idle,
  type CaptureState,
} from '../../../../../src/renderer/src/domains/audio/recorder/state.ts'
import { warningsOf } from '../../../../../src/renderer/src/domains/audio/recorder/warnings.ts'

const dead: ChannelLevel = { peak: 0, rms: 0, zero: true }
const hush: ChannelLevel = { peak: 0.001, rms: 0.0004, zero: false }
const room: ChannelLevel = { peak: 0.006, rms: 0.001, zero: false }
const voice: ChannelLevel = { peak: 0.3, rms: 0.06, zero: false }

describe('silence detection', () => {
  const watch = (channels = 2) => {
    const health = createHealth(channels)
    const reported: { at: number; event: HealthEvent }[] = []
    let at = 0
    return {
      health,
      reported,
      feed(seconds: number, ...levels: ChannelLevel[]) {
        for (let tick = 0; tick < seconds * 50; tick++) {
          at += 20
          for (const event of health.take(levels, 20)) reported.push({ at: at / 1000, event })
        }
      },
    }
  }

  test('reports exact zeros once after five seconds, and their end', () => {
    const { reported, feed } = watch()
    feed(4.9, dead, room)
    expect(reported).toEqual([])
    feed(60, dead, room)
    feed(1, room, room)
    feed(3, dead, room)
    expect(reported).toEqual([
      { at: 5, event: { type: 'zeros', channel: 0 } },
      { at: expect.closeTo(64.9, 1), event: { type: 'sound', channel: 0 } },
    ])
  })

  test('reports a channel that is silent for 30 seconds while the other speaks', () => {
    const { reported, feed } = watch()
    feed(29, hush, voice)
    expect(reported).toEqual([])
    feed(40, hush, voice)
    expect(reported).toEqual([{ at: 30, event: { type: 'silent', channel: 0 } }])
  })

  test('does not report a listener as silent while room noise is present', () => {
    const { reported, feed } = watch()
    feed(300, room, voice)
    expect(reported).toEqual([])
  })

  test('reports a channel again only when it turns from silent to dead', () => {
    const { reported, feed } = watch()
    feed(31, hush, voice)
    feed(6, dead, voice)
    expect(reported.map(({ event }) => event.type)).toEqual(['silent', 'zeros'])
  })

  test('reports silence of both channels after 90 seconds, once per episode', () => {
    const { reported, feed } = watch()
    feed(200, hush, hush)
    expect(reported).toEqual([{ at: 90, event: { type: 'both-silent' } }])
    feed(1, voice, hush)
    feed(95, hush, hush)
    expect(reported.filter(({ event }) => event.type === 'both-silent')).toHaveLength(2)
  })

  test('restarts after a pause', () => {
    const { health, reported, feed } = watch(1)
    feed(4, dead)
    health.reset()
    feed(4, dead)
    expect(reported).toEqual([])
  })
})

describe('auto-stop', () => {
  const run = (minutes: number | null) => {
    const auto = createAutoStop(minutes)
    const feed = (seconds: number, ...levels: ChannelLevel[]): number | null => {
      let left: number | null = null
      for (let tick = 0; tick < seconds * 10; tick++) left = auto.take(levels, 100)
      return left
    }
    return { auto, feed }
  }

  test('never happens unless enabled', () => {
    expect(run(null).feed(7200, dead, dead)).toBeNull()
  })

  test('counts down a minute after the silence, and ends with audio of either channel', () => {
    const { feed } = run(5)
    expect(feed(299, hush, hush)).toBeNull()
    expect(feed(2, hush, hush)).toBe(countdownSeconds - 1)
    expect(feed(30, hush, hush)).toBe(29)
    expect(feed(0.1, hush, voice)).toBeNull()
    expect(feed(300, hush, hush)).toBe(countdownSeconds)
    expect(feed(60, hush, hush)).toBe(0)
  })

  test('is postponed by five minutes with Keep; a long gap does not count as silence', () => {
    const { auto, feed } = run(1)
    expect(feed(61, hush)).toBe(59)
    auto.keep()
    expect(feed(299, hush)).toBeNull()
    expect(feed(2, hush)).not.toBeNull()
    auto.gap(4000)
    expect(feed(0.1, hush)).not.toBeNull()
    auto.gap(6000)
    expect(feed(59, hush)).toBeNull()
  })
})

test('distinguishes audio, an open quiet source and a dead one after three seconds', () => {
  const check = createAudioCheck(3)
  expect(check.take([voice, room, dead], 1500)).toBeNull()
  expect(check.progress).toBe(0.5)
  expect(check.take([room, hush, dead], 1500)).toEqual(['ok', 'quiet', 'nothing'])
})

describe('channel log', () => {
  test('records a gap once its end is known, and the device that continued', () => {
    const log = createChannelLog(['Headset', 'Screen'])
    expect(log.take(0, { state: 'live', label: 'Headset' }, 0)).toEqual([])
    expect(log.take(0, { state: 'lost', label: 'Headset' }, 5000)).toEqual([])
    expect(log.take(0, { state: 'live', label: 'Built-in' }, 7500)).toEqual([
      { type: 'gap', atMs: 5000, endMs: 7500, channel: 0, reason: 'device' },
      { type: 'device', atMs: 7500, channel: 0, label: 'Built-in' },
    ])
    expect(log.take(0, { state: 'muted', label: 'Built-in' }, 8000)).toEqual([])
    expect(log.take(0, { state: 'lost', label: 'Built-in' }, 9000)).toEqual([
      { type: 'gap', atMs: 8000, endMs: 9000, channel: 0, reason: 'muted' },
    ])
    expect(log.end(9900)).toEqual([
      { type: 'gap', atMs: 9000, endMs: 9900, channel: 0, reason: 'device' },
    ])
  })
})

test('stores preferences, and falls back to defaults for invalid ones', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  const first = readPreferences(store)
  expect(first).toMatchObject({ microphone: true, system: false, autoStopMinutes: null })
  const chosen = { ...first, deviceId: 'abc', mode: 'speaker' as const, autoStopMinutes: 15 }
  writePreferences(store, chosen)
  expect(readPreferences(store)).toEqual(chosen)
  for (const broken of ['{', 'null', '[]', '{"mode":7,"autoStopMinutes":1e9,"microphone":"yes"}'])
    expect(readPreferences({ ...store, getItem: () => broken })).toEqual(first)
  const full = { ...store, setItem: () => { throw new Error('full') } } // prettier-ignore
  expect(() => writePreferences(full, chosen)).not.toThrow()
})

test('lists warnings by severity, with their channel name', () => {
  const state: CaptureState = {
    ...idle(),
    phase: 'recording',
    sending: 'retrying',
    bothSilent: true,
    channels: [
      { role: 'mic', label: 'Headset', state: 'lost', silence: 'zeros', verdict: null },
      { role: 'others', label: 'Tab', state: 'live', silence: 'zeros', verdict: null },
    ],
  }
  const found = warningsOf(state, ({ label }) => label, String)
  expect(found.map(({ key, tone, values, act }) => [key, tone, values['name'], act])).toEqual([
    ['lost', 'danger', 'Headset', 'change'],
    ['retrying', 'warn', undefined, null],
    ['zerosOthers', 'warn', 'Tab', null],
    ['bothSilent', 'warn', undefined, null],
  ])
  expect(warningsOf({ ...idle(), phase: 'recording' }, () => '', String)).toEqual([])
})

test('reports computer audio as refused when it ends at once or stays at zero', () => {
  const others = { role: 'others', label: '', silence: null, verdict: null } as const
  const mic = { ...others, role: 'mic' } as const
  const refusedIn = (channels: CaptureState['channels']): unknown[] =>
    warningsOf({ ...idle(), phase: 'recording', channels }, () => '', String).map(
      ({ key, mayBeRefused: refused }) => [key, refused],
    )
  const ended = { state: 'lost', endedAtOnce: true } as const
  const zero = { state: 'live', silence: 'zeros' } as const
  expect(refusedIn([{ ...others, ...ended }])).toEqual([['endedAtOnce', true]])
  expect(refusedIn([{ ...others, ...zero }])).toEqual([['zerosOthers', true]])
  expect(refusedIn([{ ...others, state: 'lost' }])).toEqual([['lostOthers', false]])
  // The microphone has its own permission.
  expect(refusedIn([{ ...mic, ...ended }])).toEqual([['endedAtOnce', false]])
  expect(refusedIn([{ ...mic, ...zero }])).toEqual([['zeros', false]])
})
