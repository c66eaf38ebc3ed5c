import { createHash, randomFillSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createEncoder } from 'wasm-media-encoders'
import {
  createDecodingClient,
  type DecodeClient,
} from '../../../../../src/main/platform/audio/decode/decoding.ts'
import { infoFrame } from '../../../../../src/main/platform/audio/mp3-info.ts'
import {
  openReadIn,
  type ReadIn,
} from '../../../../../src/main/domains/audio/worker/session-import.ts'
import { loadResampling } from '../../../../../src/system/audio/resample.ts'
import { frameAt } from '../../../../../src/shared/audio/mp3-frame.ts'
import { createWorkerClient } from '../../../../../src/main/platform/workers/client.ts'
import { id3 } from '../../../../fixtures/audio-bytes.ts'
import { audioFile } from '../../../../fixtures/audio-file.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'

const home = mkdtempSync(join(tmpdir(), 'lectern-decoding-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const resampling = await loadResampling()
const deps = { resampling, now: () => 1_700_000_000_000, reserveBytes: 1 }
const program = workerUrl('audio')

/** Creates a second thread as the audio worker does; it is closed after one file. */
const createClient = (): DecodeClient =>
  createWorkerClient({ url: program, name: 'Audio decoder', data: 'decode' })

const begin = (path: string, folder: string, client: DecodeClient | null): Promise<ReadIn> =>
  openReadIn(
    { type: 'open', job: 'x', id: 'm', title: 'T', path, folder, channels: 'split' },
    client ? { ...deps, decoding: () => createDecodingClient(client) } : deps,
  )

/** Returns all output of an import, byte for byte; its folder is then removed. */
async function outcome(path: string, client: DecodeClient | null): Promise<readonly string[]> {
  const folder = join(home, 'm')
  const job = await begin(path, folder, client)
  while (!(await job.more(60)).done);
  const files = readdirSync(folder).toSorted()
  const prints = files.map((name) => {
    const bytes = readFileSync(join(folder, name))
    // The number of flushes may differ, since a step also ends by the clock.
    if (name === 'journal.ndjson')
      return bytes
        .toString()
        .split('\n')
        .filter((line) => line.includes('"gap"'))
        .join()
    return `${name} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`
  })
  rmSync(folder, { recursive: true })
  return prints
}

type Rate = { readonly bitrate: 64 | 128 } | { readonly vbrQuality: 4 }

/** Returns two different channels. */
const voices = (seconds: number, rate: number): Float32Array[] =>
  [220, 330].map((hz) =>
    Float32Array.from({ length: seconds * rate }, (_, n) => {
      const t = n / rate
      return 0.4 * Math.sin(2 * Math.PI * t) * Math.sin(2 * Math.PI * hz * t * (1 + 0.1 * t))
    }),
  )

/** Encodes an MP3 with LAME. */
async function mp3(seconds: number, sampleRate: number, rate: Rate): Promise<Buffer> {
  const wasm = createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')
  const encoder = await createEncoder('audio/mpeg', readFileSync(wasm))
  encoder.configure({ sampleRate, channels: 2, ...rate })
  const frames = Buffer.from(encoder.encode(voices(seconds, sampleRate)))
  return Buffer.concat([frames, encoder.finalize()])
}

/** Adds a header with the encoder delay and padding. */
function withHeader(stream: Buffer): Buffer {
  let frames = 0
  for (let at = 0; at < stream.length; at += frameAt(stream, at)?.bytes ?? stream.length) frames++
  const added = { delay: 576, padding: 1200 }
  return Buffer.concat([
    infoFrame({ like: stream.subarray(0, 4), frames, bytes: stream.length, ...added }),
    stream,
  ])
}

const kinds = [
  ['44.1 kHz, constant', 44_100, { bitrate: 128 }],
  ['48 kHz, variable', 48_000, { vbrQuality: 4 }],
  ['22.05 kHz (MPEG-2), constant', 22_050, { bitrate: 64 }],
] as const
for (const [name, rate, settings] of kinds)
  test(`${name}: two threads make what one makes, byte for byte`, async () => {
    const bytes = await mp3(12, rate, settings)
    const client = createClient()
    const several: DecodeClient = { call: client.call, close: async () => {} }
    const hurt = withHeader(bytes)
    randomFillSync(hurt, Math.floor(hurt.length * 0.5), 9000)
    const path = join(home, 'a.mp3')
    const tagged = Buffer.concat([id3(70_000), bytes])
    for (const file of [bytes, tagged, withHeader(bytes), hurt]) {
      writeFileSync(path, file)
      const one = await outcome(path, null)
      expect(one.length).toBeGreaterThanOrEqual(4)
      expect(await outcome(path, several)).toEqual(one)
      // The damaged one was reported as such.
      expect(one.join().includes('lost')).toBe(file === hurt)
    }
    await client.close()
  })

test('returns other formats from the second thread unchanged', async () => {
  for (const kind of ['m4a', 'flac'] as const) {
    const path = join(home, `a.${kind}`)
    writeFileSync(path, await audioFile(kind, voices(12, 48_000)))
    expect(await outcome(path, createClient()), kind).toEqual(await outcome(path, null))
  }
})

test('ends the second thread and leaves nothing behind when stopped midway', async () => {
  const path = join(home, 'stopped.mp3')
  writeFileSync(path, await mp3(30, 44_100, { bitrate: 128 }))
  const client = createClient()
  const folder = join(home, 'stopped')
  const job = await begin(path, folder, client)
  expect((await job.more(2)).done).toBe(false)
  await job.abandon()
  expect(existsSync(folder)).toBe(false)
  // Its client is closed permanently, which waits for the end of the thread.
  await expect(client.call({ type: 'next' })).rejects.toMatchObject({ code: 'CANCELLED' })
})

test('reports a second thread that dies once, and leaves nothing behind', async () => {
  const dying = join(home, 'dies.mjs')
  writeFileSync(
    dying,
    `import { parentPort } from 'node:worker_threads'
     let asked = 0
     parentPort.on('message', ({ request }) => {
       if (request?.type === 'next' && ++asked === 6) process.exit(3)
     })
     await import(${JSON.stringify(program.href)})`,
  )
  const path = join(home, 'dies.mp3')
  writeFileSync(path, await mp3(30, 44_100, { bitrate: 128 }))
  const url = new URL(`file://${dying}`)
  const client: DecodeClient = createWorkerClient({ url, name: 'Audio decoder', data: 'decode' })
  const folder = join(home, 'dies')
  const job = await begin(path, folder, client)
  const whole = async (): Promise<void> => {
    while (!(await job.more(60)).done);
  }
  await expect(whole()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  expect(existsSync(folder)).toBe(false)
})

test('rejects a file that cannot be opened there with its own message', async () => {
  const path = join(home, 'none.mp3')
  writeFileSync(path, Buffer.concat([id3(10), Buffer.alloc(5000)]))
  const folder = join(home, 'none')
  const pending = begin(path, folder, createClient())
  await expect(pending).rejects.toMatchObject({ code: 'DAMAGED_FILE', params: { kind: 'mp3' } })
  expect(existsSync(folder)).toBe(false)
})
