import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import {
  setupLastResort,
  setupStop,
} from '../../../../src/main/hosts/loopback/loopback-lifecycle.ts'
import { createRefusalLog } from '../../../../src/main/hosts/loopback/refusal-log.ts'

class Living extends EventEmitter {
  readonly codes: number[] = []
  exit = (code: number): void => void this.codes.push(code)
}

interface Line {
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>> | undefined
}
function notedLog() {
  const lines: Line[] = []
  const note = (message: string, fields?: Readonly<Record<string, unknown>>): void =>
    void lines.push({ message, fields })
  return { lines, log: { info: note, warn: note, error: note } }
}

test.each([
  ['everything stops', async () => {}, async () => {}, []],
  ['the app fails to stop', async () => {}, async () => Promise.reject(new Error('x')), ['app']],
  ['the app hangs', async () => {}, () => new Promise<void>(() => {}), ['app']],
  [
    'the server fails to stop',
    async () => Promise.reject(new Error('x')),
    async () => {},
    ['server'],
  ],
])('the host ends, once, when %s', async (_name, close, stop, troubles) => {
  const living = new Living()
  const { lines, log } = notedLog()
  const steps: string[] = []
  setupStop(living, {
    server: { close: () => (steps.push('server'), close()) },
    app: { stop: () => (steps.push('app'), stop()) },
    log,
    first: () => void steps.push('first'),
    last: () => void steps.push('last'),
    patience: 50,
  })
  living.emit('SIGTERM')
  living.emit('SIGINT')
  await expect.poll(() => living.codes).toEqual([0])
  // The end is reported before anything that takes time.
  expect(steps).toEqual(['first', 'server', 'app', 'last'])
  expect(lines.map(({ fields }) => fields?.['step'])).toEqual(troubles)
})

test('logs uncaught errors; only a stack overflow ends the host', () => {
  const living = new Living()
  const { lines, log } = notedLog()
  setupLastResort(living, log)
  living.emit('unhandledRejection', new Error('a'))
  expect(living.codes).toEqual([])
  living.emit('uncaughtException', new Error('b'))
  expect(living.codes).toEqual([1])
  expect(lines.map(({ message }) => message)).toEqual(['unhandled rejection', 'uncaught exception'])
})

test('logs one line of refusals per second, with the number of omitted ones', () => {
  const { lines, log } = notedLog()
  let now = 1000
  const refuse = createRefusalLog(log, () => now)
  for (let count = 0; count < 8000; count++) {
    refuse({ ok: false, status: 401, why: 'session' })
    now += 0.25
  }
  expect(lines).toHaveLength(2)
  expect(lines[1]?.fields).toEqual({ status: 401, why: 'session', suppressed: 3999 })
  now -= 50_000
  refuse({ ok: false, status: 403, why: 'site' })
  expect(lines).toHaveLength(3)
})
