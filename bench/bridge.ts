import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode, encode } from '@msgpack/msgpack'
import { WebSocket, WebSocketServer } from 'ws'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { startScriptedService } from '../test/fixtures/slow-service.ts'
import { sineWav } from '../test/fixtures/wav.ts'
import { against, median, type Bench, type Row } from './row.ts'

const calls = 10_000
const lanes = 32
const runs = 5

/**
 * Measures the bridge: calls per second through host, router and store, and streamed text end to end, compared with a bare
 * WebSocket.
 */
export const bench: Bench = {
  name: 'bridge',
  async run() {
    const home = await mkdtemp(join(tmpdir(), 'lectern-bench-bridge-'))
    const host = await startHost(home)
    const page = await enter(host.launchUrl)
    const bare = await bareSocket()
    const ours: number[] = []
    const plain: number[] = []
    try {
      for (let run = 0; run < runs + 1; run++) {
        const fast = await perSecond(() => bare.echo({ t: 'req', id: 0, route: 'x', payload: {} }))
        const real = await perSecond(() => page.raw('settings.get', {}))
        if (run > 0) {
          plain.push(fast)
          ours.push(real)
        }
      }
      return [
        against(
          { name: 'requests over the bridge', figure: median(ours), unit: 'calls/s' },
          'bare WebSocket echo, same encoding',
          median(plain),
        ),
        ...(await streamRows(page)),
      ]
    } finally {
      bare.close()
      page.close()
      await host.stop()
      await rm(home, { recursive: true, force: true })
    }
  },
}

async function perSecond(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  let left = calls
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: lanes }, worker))
  return calls / ((performance.now() - from) / 1000)
}

/** A WebSocket server that echoes every decoded message, and a client that waits for the echo. */
async function bareSocket(): Promise<{ echo(message: unknown): Promise<unknown>; close(): void }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  server.on('connection', (socket) => {
    socket.on('message', (bytes: Buffer) => socket.send(encode(decode(bytes))))
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await new Promise<void>((resolve) => client.once('open', () => resolve()))
  const waiting: ((value: unknown) => void)[] = []
  client.on('message', (bytes: Buffer) => waiting.shift()?.(decode(bytes)))
  return {
    echo: (message) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        client.send(encode(message))
      }),
    close() {
      client.close()
      server.close()
    },
  }
}

/** Measures words of a fast event stream from the provider's socket to the page: words per second, and number of messages. */
async function streamRows(page: BridgeClient): Promise<Row[]> {
  const words = Array.from({ length: 20_000 }, (_, i) => `word${i} `)
  const service = await startScriptedService({ words, totalMs: 0 })
  try {
    const account = await page.call('accounts.create', {
      preset: 'custom',
      name: 'Scripted',
      baseUrl: service.url,
    })
    await page.call('accounts.setKey', { id: account.id, key: service.key })
    await page.call('accounts.activate', { id: account.id })
    const media = await page.intake('bench.wav', sineWav({ seconds: 1, hz: 440 }))
    const before = page.events.length
    const from = performance.now()
    await page.call('runs.start', {
      operation: 'transcriptions.create',
      input: { file: media.id },
      streamId: 'bench-stream-1',
    })
    const messages = await new Promise<number>((resolve) => {
      page.onEvent((event) => {
        if (event.channel !== 'stream' || event.event.type === 'events') return
        resolve(page.events.slice(before).filter((e) => e.channel === 'stream').length)
      })
    })
    const seconds = (performance.now() - from) / 1000
    return [
      {
        name: 'streamed words, service to page, stored',
        figure: words.length / seconds,
        unit: 'events/s',
        comparedWith: '',
        ratio: null,
      },
      against(
        { name: 'messages for these words', figure: messages, unit: 'messages' },
        'one message a word',
        words.length,
      ),
    ]
  } finally {
    await service.stop()
  }
}
