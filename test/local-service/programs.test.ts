import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  LocalServiceMessage,
  LocalServiceWorkerData,
} from '../../src/local-service/protocol.ts'
import { modelsDir, transcriptionForm, workerUrls } from './fixtures/service.ts'
import { silence } from './fixtures/audio-samples.ts'
import { workerUrl } from '../fixtures/worker-url.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-local-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const serviceWorker = workerUrl('local-service')

const startWorker = (more: Partial<LocalServiceWorkerData> = {}): Worker => {
  const data: LocalServiceWorkerData = {
    key: 'a-key',
    home,
    modelsDir,
    workerUrls: {
      speech: workerUrls.speech.href,
      text: workerUrls.text.href,
      pages: workerUrls.pages.href,
    },
    ...more,
  }
  return new Worker(serviceWorker, { workerData: data })
}

test('runs the whole service in a worker, responds, and ends on request', async () => {
  const worker = startWorker()
  const [message] = (await once(worker, 'message')) as [LocalServiceMessage]
  if (message.type !== 'ready') throw new Error('not ready')
  const response = await fetch(`${message.url}/paas/v4/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer a-key' },
    body: transcriptionForm(silence(16_000)),
  })
  expect(await response.json()).toMatchObject({ text: '' })
  const ended = once(worker, 'exit')
  worker.postMessage({ type: 'stop' })
  expect(await ended).toEqual([0])
}, 120_000)

test('reports a port in use as a reason, and ends the worker', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const worker = startWorker({ port })
  const ended = once(worker, 'exit')
  const [message] = (await once(worker, 'message')) as [LocalServiceMessage]
  expect(message).toMatchObject({ type: 'failed', reason: expect.stringContaining('EADDRINUSE') })
  expect(await ended).toEqual([0])
  taken.close()
})

test('prints URL and key of the command on one line and stops cleanly on SIGTERM', async () => {
  const cli = resolve('src/local-service/cli.ts')
  const ownHome = join(home, 'made-by-the-command')
  const child = spawn(process.execPath, [
    cli,
    '--port',
    '0',
    '--key',
    'k',
    '--home',
    ownHome,
    '--faults',
  ])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('\n')) await once(child.stdout, 'data')
  expect(output).toMatch(
    /^The on-device service is at http:\/\/127\.0\.0\.1:\d+ with the API key k\n$/,
  )
  const url = /http:\S+/.exec(output)?.[0] ?? ''
  const response = await fetch(`${url}/__faults`, { headers: { authorization: 'Bearer k' } })
  expect(await response.json()).toEqual({ rules: [] })
  const form = new FormData()
  form.append('purpose', 'voice-clone-input')
  form.append('file', new Blob(['a voice']), 'a.wav')
  const upload = { method: 'POST', headers: { authorization: 'Bearer k' }, body: form }
  expect((await fetch(`${url}/paas/v4/files`, upload)).status).toBe(200)
  if (process.platform !== 'win32') expect((await stat(ownHome)).mode & 0o777).toBe(0o700)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(process.platform === 'win32' ? null : 0)
})

test('explains invalid arguments of the command', async () => {
  const cli = resolve('src/local-service/cli.ts')
  const child = spawn(process.execPath, [cli, '--port', 'many'])
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(1)
  expect(output).toBe('--port must be a number from 0 to 65535\n')
})
