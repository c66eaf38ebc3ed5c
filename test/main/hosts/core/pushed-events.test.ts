import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { PortAnswer } from '../../../../src/shared/contract/transport.ts'
import type { StreamEvent } from '../../../../src/shared/contract/events.ts'
import { servePort, type Port } from '../../../../src/main/hosts/core/page-port.ts'
import type { App, PageConnection } from '../../../../src/main/host.ts'

// Events that the core pushes to a page over its port, as far as the page reads them.
const open: MessagePort[] = []
afterEach(() => open.splice(0).forEach((port) => port.close()))

const electronPort = (port: MessagePort): Port => ({
  postMessage: (message) => port.postMessage(message),
  on: (event: string, listener: (event: never) => void) =>
    event === 'message'
      ? port.on('message', (data) => listener({ data } as never))
      : port.on('close', listener as () => void),
  start: () => port.start(),
  close: () => port.close(),
})

function openPage() {
  const { port1, port2 } = new MessageChannel()
  open.push(port2)
  let connection: PageConnection | null = null
  const app: Pick<App, 'connect' | 'disconnect'> = {
    connect: (page) => void (connection = page),
    disconnect: () => void (connection = null),
  }
  const log = { info() {}, warn() {}, error() {} }
  servePort(electronPort(port1), 'page', { app: app as App, clock: Date.now, log })
  const answers: PortAnswer[] = []
  return {
    answers,
    push(seq: number, json: string) {
      const event: StreamEvent = {
        streamId: 'one',
        seq,
        type: 'events',
        batch: { first: seq, count: 1, json },
      }
      connection?.push({ channel: 'stream', event })
    },
    /** Starts reading, as the page's preload does. */
    read() {
      port2.on('message', (answer: PortAnswer) => {
        answers.push(answer)
        if (answer.t === 'push' && answer.confirm !== undefined)
          port2.postMessage({ t: 'confirm', mark: answer.confirm })
      })
    },
    seqs: () =>
      answers.flatMap((answer) =>
        answer.t === 'push' && answer.event.channel === 'stream' ? [answer.event.event.seq] : [],
      ),
  }
}

test('bounds the events that wait for an unresponsive page, and reports missed ones', async () => {
  const page = openPage()
  const before = process.memoryUsage().rss
  for (let seq = 0; seq < 20_000; seq++) {
    page.push(seq, String(seq).repeat(4000))
    if (seq % 500 === 0) await turn()
  }
  const added = (process.memoryUsage().rss - before) / 2 ** 20
  console.log(`${added.toFixed(0)} MB of memory added`)
  expect(added).toBeLessThan(150)
  page.read()
  await expect.poll(() => page.answers.at(-1)).toEqual({ t: 'missed' })
  const seqs = page.seqs()
  expect(seqs).toEqual(seqs.map((_seq, at) => at))
  page.push(20_000, 'after')
  await expect.poll(() => page.seqs().at(-1)).toBe(20_000)
})

test('also bounds many small events', async () => {
  const page = openPage()
  for (let seq = 0; seq < 100_000; seq++) page.push(seq, 'a')
  page.read()
  await expect.poll(() => page.answers.at(-1)).toEqual({ t: 'missed' })
  expect(page.answers.length).toBeLessThan(5000)
})

test('loses nothing for a page that reads, and delivers a large event', async () => {
  const page = openPage()
  page.read()
  for (let seq = 0; seq < 30_000; seq++) {
    page.push(seq, seq === 9000 ? 'x'.repeat(20_000_000) : 'words')
    if (seq % 200 === 0 || seq === 9000) await turn()
  }
  await expect.poll(() => page.seqs().length, { timeout: 10_000 }).toBe(30_000)
  expect(page.answers.some(({ t }) => t === 'missed')).toBe(false)
})
