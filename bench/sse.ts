import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createParser } from 'eventsource-parser'
import { createAgents } from '../src/main/provider-client/agents.ts'
import { newTrace, send } from '../src/main/provider-client/http.ts'
import type { Exchange } from '../src/main/provider-client/http.ts'
import { createApi } from '../src/main/provider-client/index.ts'
import { parseJson } from '../src/main/provider-client/json.ts'
import { readSse } from '../src/main/provider-client/sse.ts'
import { longCall } from '../src/main/provider-client/timeouts.ts'
import { createTranscriptText } from '../src/main/provider-client/transcript-text.ts'
import type { ServiceTarget, TranscriptionRequest } from '../src/main/provider-client/types.ts'
import { limits } from '../src/shared/provider/limits.ts'
import { presets } from '../src/shared/provider/profiles.ts'
import { against, alone, median } from './row.ts'
import type { Bench, Row } from './row.ts'

/**
 * Chunking of the bytes: one event per chunk as a live model sends them, TCP segments, reads of a fast server, split characters.
 */
const chunkings = ['event', '1460 B', '16 KiB', 'rand 1-64 B'] as const
type Chunking = (typeof chunkings)[number]

/** Number of events of each stream; the randomly split one is shorter because it takes ten times as long per byte. */
const eventsOf = (chunking: Chunking): number => (chunking.startsWith('rand') ? 4_000 : 20_000)
const rounds = 7

/** Measurements of one run over a stream. */
interface Run {
  readonly ms: number
  readonly text: number
}

/** A transcription event of about 240 bytes, half of it Chinese. */
function eventText(index: number): string {
  const event = {
    id: `2026112106000000${index % 10}`,
    created: 1_795_240_000,
    model: 'glm-asr-2512',
    type: 'transcript.text.delta',
    delta: `第 ${index} 句：会议记录的文字一段一段地到来，and the words arrive in pieces. `,
  }
  return `data: ${JSON.stringify(event)}\n\n`
}

/** The stream cut as requested; every method reads the same chunks. */
function chunksOf(chunking: Chunking): Uint8Array[] {
  const events = Array.from({ length: eventsOf(chunking) }, (_, index) =>
    Buffer.from(eventText(index)),
  )
  if (chunking === 'event') return [...events, Buffer.from('data: [DONE]\n\n')]
  const bytes = Buffer.concat([...events, Buffer.from('data: [DONE]\n\n')])
  const chunks: Uint8Array[] = []
  let seed = 1
  const next = (): number => {
    if (chunking === '1460 B') return 1460
    if (chunking === '16 KiB') return 16_384
    seed = (seed * 48_271) % 2_147_483_647
    return 1 + (seed % 64)
  }
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + next())
    chunks.push(bytes.subarray(at, end))
    at = end
  }
  return chunks
}

/** The parser alone: decodes and parses chunks in memory, and extracts the JSON and the delta of each event. */
function parserAlone(chunks: readonly Uint8Array[]): Run {
  let text = 0
  const start = performance.now()
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return
      text += (JSON.parse(data) as { delta: string }).delta.length
    },
  })
  const decoder = new TextDecoder()
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  return { ms: performance.now() - start, text }
}

/** Our code: the same events through `readSse` and the growing transcript, with the raw stream saved. */
async function ours(body: AsyncIterable<Uint8Array>): Promise<Run> {
  const transcript = createTranscriptText()
  let received = ''
  const start = performance.now()
  await readSse(body, {
    onText: (chunk) => void (received += chunk),
    onEvent: ({ data }) => void transcript.take(parseJson(data)),
  })
  if (received === '') throw new Error('nothing was kept')
  return { ms: performance.now() - start, text: transcript.text.length }
}

async function* inMemory(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* chunks
}

/** Serves the chunks over loopback HTTP from a separate thread, one write each. */
const serverProgram = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer(async (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of workerData)
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
    response.end()
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

/** Methods of reading the stream over HTTP. */
interface OverHttp {
  /** The client's own call: sends the form, reads the stream, collects the text, saves the response, records the activity. */
  readonly call: () => Promise<Run>
  /** Reads the bytes without processing them. */
  readonly bare: () => Promise<Run>
}

/** Runs `work` while the chunks are served. */
async function overHttp<T>(
  chunks: readonly Uint8Array[],
  bytes: number,
  text: number,
  work: (ways: OverHttp) => Promise<T>,
): Promise<T> {
  const worker = new Worker(serverProgram, { eval: true, workerData: chunks })
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const path = join(folder, 'sound.wav')
  writeFileSync(path, Buffer.alloc(1000))
  const outside = { proxyFor: async () => null, extraCa: async () => [] }
  const agents = createAgents({ ...outside, connectTimeoutMs: 5_000 })
  let ids = 0
  const api = createApi({
    ...outside,
    clock: Date.now,
    ids: () => `bench-${String((ids += 1)).padStart(20, '0')}`,
    record: () => {},
  })
  try {
    const [port] = (await once(worker, 'message')) as [number]
    const target: ServiceTarget = {
      accountId: 'bench',
      accountName: 'bench',
      baseUrl: `http://127.0.0.1:${port}`,
      key: 'key-for-bench',
      profile: presets.custom,
      limits,
    }
    const request: TranscriptionRequest = {
      file: { path, bytes: 1000, name: 'sound.wav', mime: 'audio/wav', seconds: 1 },
      prompt: '',
      hotwords: [],
      stream: true,
    }
    const exchange: Exchange = {
      method: 'GET',
      path: '/stream',
      accept: 'text/event-stream',
      timeouts: longCall,
    }
    return await work({
      async call() {
        const start = performance.now()
        const result = await api.transcriptions.create(target, request, { onDelta: () => {} })
        return { ms: performance.now() - start, text: result.text.length }
      },
      async bare() {
        const start = performance.now()
        let seen = 0
        const { body } = await send(agents, target, exchange, newTrace(), Date.now)
        for await (const chunk of body) seen += chunk.byteLength
        if (seen !== bytes) throw new Error('bytes are missing')
        return { ms: performance.now() - start, text }
      },
    })
  } finally {
    await Promise.all([api.close(), agents.close()])
    await worker.terminate()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Median milliseconds of each method, run alternately so that load on the machine affects all of them.
 * Throws unless every run read the same text.
 */
async function inTurns(
  text: number,
  ways: readonly (() => Run | Promise<Run>)[],
): Promise<readonly number[]> {
  const samples = ways.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, way] of ways.entries()) {
      const run = await way()
      if (run.text !== text) throw new Error(`read ${run.text} characters of ${text}`)
      // The first round warms up.
      if (round > 0) samples[index]?.push(run.ms)
    }
  return samples.map(median)
}

async function rowsFor(chunking: Chunking): Promise<readonly Row[]> {
  const chunks = chunksOf(chunking)
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const speed = (ms: number): number => bytes / 1e6 / (ms / 1000)
  const { text } = parserAlone(chunks)

  const [reference = NaN, memory = NaN, wire = NaN, bare = NaN] = await overHttp(
    chunks,
    bytes,
    text,
    (ways) =>
      inTurns(text, [
        () => parserAlone(chunks),
        () => ours(inMemory(chunks)),
        ways.call,
        ways.bare,
      ]),
  )
  const row = (name: string, ms: number): Pick<Row, 'name' | 'figure' | 'unit'> => ({
    name: `${name}, ${chunking}`,
    figure: speed(ms),
    unit: 'MB/s',
  })
  const named = 'eventsource-parser alone'
  return [
    against(row('our parser, in memory', memory), named, speed(reference)),
    against(row('complete request over HTTP', wire), named, speed(reference)),
    against(row('complete request over HTTP', wire), 'HTTP body only', speed(bare)),
    alone({
      name: `events over HTTP, ${chunking}`,
      figure: eventsOf(chunking) / (wire / 1000),
      unit: 'events/s',
    }),
  ]
}

/** MB/s and events/s of the event stream path, compared with the parser alone in the same process (medians). */
export const bench: Bench = {
  name: 'sse',
  async run() {
    const rows: Row[] = []
    for (const chunking of chunkings) rows.push(...(await rowsFor(chunking)))
    return rows
  },
}
