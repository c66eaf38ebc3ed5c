import { once } from 'node:events'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createAgents } from '../../../src/main/provider-client/agents.ts'
import { newTrace, send } from '../../../src/main/provider-client/http.ts'
import { multipart, quotedName } from '../../../src/main/provider-client/multipart.ts'
import type { FormField } from '../../../src/main/provider-client/multipart.ts'
import { longCall } from '../../../src/main/provider-client/timeouts.ts'
import { limits } from '../../../src/shared/provider/limits.ts'
import { presets } from '../../../src/shared/provider/profiles.ts'

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'lectern-multipart-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function joined(fields: readonly FormField[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of multipart(fields, 'b').open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('announces the real length for any fields', async () => {
  const path = join(folder(), 'file')
  writeFileSync(path, Buffer.alloc(300_001, 7))
  const field = fc.oneof(
    fc.record({ name: fc.string(), value: fc.string({ unit: 'binary' }) }),
    fc.record({ name: fc.string(), value: fc.constant('a\ud800b') }),
    fc.record({
      name: fc.string(),
      file: fc.record({
        path: fc.constant(path),
        bytes: fc.constant(300_001),
        name: fc.string({ unit: 'binary' }),
        mime: fc.constant('audio/wav'),
      }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 4 }), async (fields) => {
      expect((await joined(fields)).length).toBe(multipart(fields, 'b').bytes)
    }),
    { numRuns: 50 },
  )
})

test('produces the same body again, byte for byte', async () => {
  const path = join(folder(), 'file')
  writeFileSync(path, Buffer.from(Array.from({ length: 500_000 }, (_, i) => i % 251)))
  const fields: FormField[] = [
    { name: 'a', value: 'x' },
    { name: 'file', file: { path, bytes: 500_000, name: 'n.wav', mime: 'audio/wav' } },
  ]
  expect((await joined(fields)).equals(await joined(fields))).toBe(true)
})

test('prevents names from breaking out of their quotes or line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(quotedName(name)).not.toMatch(/["\p{Cc}\u2028\u2029]/u)
    }),
  )
  expect(quotedName('会议 "一".wav')).toBe('会议 %22一%22.wav')
})

/** Starts a server that discards its input, in its own thread, so that its memory is not counted. */
async function startSink(): Promise<string> {
  const program = `
    const { createServer } = require('node:http')
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('{}'))
    })
    server.listen(0, '127.0.0.1', () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
    })`
  const worker = new Worker(program, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(worker, 'message')) as [number]
  return `http://127.0.0.1:${port}`
}

test('uses memory independent of the file size', async () => {
  const baseUrl = await startSink()
  const path = join(folder(), 'big')
  const agents = createAgents({
    proxyFor: async () => null,
    extraCa: async () => [],
    connectTimeoutMs: 5000,
  })
  onTestFinished(() => agents.close())
  const target = {
    accountId: 'a',
    accountName: 'a',
    baseUrl,
    key: 'key-for-test',
    profile: presets.custom,
    limits,
  }
  /** Sends a file of this many bytes; returns the peak memory above the start, in bytes. */
  const upload = async (bytes: number): Promise<number> => {
    writeFileSync(path, '')
    truncateSync(path, bytes)
    const file = { path, bytes, name: 'big.wav', mime: 'audio/wav' }
    const body = multipart([{ name: 'file', file }], 'boundary')
    const used = (): number => {
      const { external, arrayBuffers, heapUsed } = process.memoryUsage()
      return external + arrayBuffers + heapUsed
    }
    const before = used()
    let memory = 0
    const watch = setInterval(() => (memory = Math.max(memory, used() - before)), 5)
    const trace = newTrace()
    const reply = await send(
      agents,
      target,
      { method: 'POST', path: '/f', accept: 'application/json', timeouts: longCall, body },
      trace,
      Date.now,
    )
    clearInterval(watch)
    reply.discard()
    expect(trace.bytesSent).toBe(body.bytes)
    return memory
  }
  await upload(10_000_000)
  const small = await upload(20_000_000)
  const large = await upload(200_000_000)
  expect(large).toBeLessThan(100_000_000)
  expect(large - small).toBeLessThan(60_000_000)
}, 120_000)
