import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createWorkerClient,
  type WorkerClient,
} from '../../../../src/main/platform/workers/client.ts'
import { endMessage } from '../../../../src/main/platform/workers/messages.ts'
import { addItem, codeOf, temporaryHome, withStore } from './fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-worker-'))
const program = join(folder, 'program.mjs')
let client: WorkerClient<string, string>

beforeAll(() => {
  writeFileSync(
    program,
    `import { parentPort, workerData } from 'node:worker_threads'
     let calls = 0
     parentPort.on('message', (message) => {
       if (message === '${endMessage}') return parentPort.close()
       const { id, request } = message
       calls += 1
       if (request === 'die') process.exit(1)
       if (request === 'throw') throw new Error('out of order')
       if (request === 'hang') return
       if (request === 'corrupt') return parentPort.postMessage({ id, ok: false, code: 'SQLITE_CORRUPT', message: 'malformed' })
       parentPort.postMessage({ id, ok: true, value: workerData + calls })
     })`,
  )
  client = createWorkerClient({
    url: pathToFileURL(program),
    name: 'Program',
    data: 'call ',
    timeoutMs: 1500,
  })
})

afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

test('fails the calls of a crashed worker clearly, and restarts it with the next call', async () => {
  expect(await client.call('a')).toBe('call 1')
  expect(await client.call('b')).toBe('call 2')
  expect(await codeOf(() => client.call('die'))).toBe('ENGINE_UNAVAILABLE')
  expect(await client.call('c')).toBe('call 1')
  expect(await codeOf(() => client.call('throw'))).toBe('ENGINE_UNAVAILABLE')
  expect(await client.call('d')).toBe('call 1')
})

test('gives up a worker that hangs, with all waiting calls', async () => {
  expect(await codeOf(() => client.call('hang'))).toBe('TIMEOUT')
  expect(await client.call('e')).toBe('call 1')
})

test('preserves the meaning of SQLite errors from the worker', async () => {
  expect(await codeOf(() => client.call('corrupt'))).toBe('DATABASE_DAMAGED')
})

test('starts nothing after the client is closed', async () => {
  const other = createWorkerClient({ url: pathToFileURL(program), name: 'Other' })
  await other.close()
  expect(await codeOf(() => other.call('a'))).toBe('CANCELLED')
})

test('ends an idle program, and starts it again with the next call', async () => {
  const other = createWorkerClient<string, string>({
    url: pathToFileURL(program),
    name: 'Other',
    data: 'call ',
    idleMs: 100,
  })
  expect(await other.call('a')).toBe('call 1')
  expect(await other.call('b')).toBe('call 2')
  await pause(500)
  expect(await other.call('c')).toBe('call 1')
  await other.close()
})

test('does not delay a newer search by an older long one', async () => {
  const home = temporaryHome()
  await withStore(home.home, async (store) => {
    store.transaction(() => {
      const body = '的 common words in every text '.repeat(20)
      for (let n = 0; n < 800; n++) addItem(store, `i${n}`, `Item ${n}`, body, n)
      addItem(store, 'rare', 'Rare', 'unmistakable', 9999)
    })
    await store.search.search({ query: 'unmistakable', limit: 1 })
    const order: string[] = []
    const long = store.search.search({ query: '的 common', limit: 2000 }).then((reply) => {
      order.push('long')
      return reply
    })
    const quick = store.search.search({ query: 'unmistakable', limit: 5 }).then((reply) => {
      order.push('quick')
      return reply
    })
    expect((await quick).hits).toHaveLength(1)
    expect((await long).hits).toHaveLength(800)
    expect(order).toEqual(['quick', 'long'])

    // Continued typing ends earlier searches; the same query from two windows is answered for both.
    const typed = ['的 c', '的 com', '的 common', '的 com'].map((query) =>
      store.search.search({ query, limit: 2000 }),
    )
    const twice = [1, 2].map(() => store.search.search({ query: '的 com', limit: 2000 }))
    const ended = (await Promise.allSettled(typed)).map((each) =>
      each.status === 'rejected' ? (each.reason as { code?: string }).code : 'answered',
    )
    expect(ended).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'answered'])
    for (const { hits } of await Promise.all(twice)) expect(hits).toHaveLength(800)
  })
  home.remove()
})
