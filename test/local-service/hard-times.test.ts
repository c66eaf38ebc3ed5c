import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startLocalService } from '../../src/local-service/server.ts'
import type { RunningLocalService } from '../../src/local-service/server.ts'
import { gatedText } from './fixtures/engines.ts'
import type { GatedText } from './fixtures/engines.ts'
import { dataOf, newBase, outcome, settled, upload } from './fixtures/knowledge.ts'
import type { DocumentData } from './fixtures/knowledge.ts'
import { modelsDir, workerUrls } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

const key = 'test-key.of-the-local-service'
const open = '/llm-application/open'

let root = ''
let gate: GatedText
let running: RunningLocalService

const service: Pick<TestService, 'call'> = {
  call(path, init = {}) {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${key}`)
    return fetch(`${running.url}${path}`, { ...init, headers })
  },
}

const start = async (home: string): Promise<void> => {
  gate = gatedText()
  gate.close()
  running = await startLocalService({
    port: 0,
    key,
    home: join(root, home),
    modelsDir,
    workerUrls,
    engines: { text: gate.engine },
  })
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lectern-hard-times-'))
  await start('first')
})
afterEach(async () => {
  await running.stop()
  await rm(root, { recursive: true, force: true })
})

/** Simulates a crash: continues from the files on disk in the middle of the work. */
async function dies(home: string, next: string): Promise<void> {
  await expect.poll(() => gate.requests.length).toBe(1)
  await cp(join(root, home), join(root, next), { recursive: true })
  await running.stop()
  await start(next)
}

test('fails a document during which the service crashed twice, which can then be deleted', async () => {
  const base = await newBase(service)
  const { successInfos } = await upload(service, base, [['a.txt', 'The blue door is locked.']])
  const id = successInfos[0]?.documentId ?? ''
  await dies('first', 'second')
  await dies('second', 'third')
  expect(await settled(service, id)).toMatchObject({
    embedding_stat: 2,
    failInfo: { embedding_code: 10001, embedding_msg: expect.stringContaining('twice') },
  })
  gate.open()
  expect(await outcome(service, 'POST', `${open}/document/embedding/${id}`)).toBe('200 200')
  expect(await settled(service, id)).toMatchObject({ embedding_stat: 1 })
  expect(await outcome(service, 'DELETE', `${open}/document/${id}`)).toBe('200 200')
})

test('does not count orderly stops as crashes', async () => {
  const base = await newBase(service)
  const { successInfos } = await upload(service, base, [['a.txt', 'The blue door is locked.']])
  const id = successInfos[0]?.documentId ?? ''
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => gate.requests.length).toBe(1)
    await running.stop()
    await start('first')
  }
  const document = await dataOf<DocumentData>(service, 'GET', `${open}/document/${id}`)
  expect(document).toMatchObject({ embedding_stat: 0 })
})

test('accepts at most 128 connections, and responds when they are closed', async () => {
  let closed = 0
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(running.port, '127.0.0.1')
    socket.on('close', () => (closed += 1))
    socket.on('error', () => undefined)
    return socket
  })
  await expect.poll(() => closed).toBeGreaterThanOrEqual(200 - 128)
  expect(closed).toBeLessThan(200)
  await Promise.all(
    sockets
      .filter(({ closed: gone }) => !gone)
      .map((socket) => (socket.destroy(), once(socket, 'close'))),
  )
  await expect
    .poll(() => outcome(service, 'GET', `${open}/knowledge?page=1&size=10`).catch(() => ''))
    .toBe('200 200')
})

// By default, Node never disconnects silent clients, and the others not within the minute that a test may take.
test(
  'disconnects clients that send nothing, or an incomplete head',
  { timeout: 60_000 },
  async () => {
    const sent = await Promise.all(
      ['', 'GET / HTTP/1.1\r\nHost: a\r\n'].map(async (text) => {
        const socket = connect(running.port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.resume()
        socket.write(text)
        await once(socket, 'close')
        return socket.readyState
      }),
    )
    expect(sent).toEqual(['closed', 'closed'])
  },
)
