import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { pageHeapMegabytes } from '../../../src/local-service/engines/pages.ts'
import { defaultHeapMegabytes } from '../../../src/local-service/engines/worker-client.ts'
import { createHeapGuard } from '../../../src/main/platform/workers/heap-guard.ts'
import { createWorkerClient, heapLimits } from '../../../src/main/platform/workers/client.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Allocates memory endlessly when requested, and never processes messages meanwhile. */
const program = join(folder, 'program.mjs')
writeFileSync(
  program,
  `import { parentPort } from 'node:worker_threads'
let kept = null
parentPort.on('message', (message) => {
  if (message === 'end') return parentPort.close()
  const held = []
  while (message.request === 'grow') held.push(new Uint8Array(4_000_000))
  while (message.request === 'fill') held.push({ text: 'a'.repeat(held.length % 50), at: [held.length] })
  if (message.request === 'hold') kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }))
  const value = message.request === 'still here' && kept ? 'kept' : message.request
  parentPort.postMessage({ id: message.id, ok: true, value })
})`,
)

test('stops a worker that allocates memory endlessly, and allows waiting requests to be retried', async () => {
  const client = createWorkerClient<string, string>({
    url: pathToFileURL(program),
    name: 'Growing',
    maxMemory: 200_000_000,
  })
  try {
    expect(await client.call('first')).toBe('first')
    const grown = client.call('grow')
    const behind = client.call('behind')
    await expect(grown).rejects.toThrowError(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        params: { what: 'memory', limit: 200_000_000 },
      }),
    )
    await expect(behind).rejects.toThrowError(
      expect.objectContaining({ code: 'CANCELLED', retriable: true }),
    )
    expect(await client.call('again')).toBe('again')
  } finally {
    await client.close()
  }
})

test('ends only the worker that fills its heap, and reports its memory', async () => {
  const client = createWorkerClient<string, string>({
    url: pathToFileURL(program),
    name: 'Filling',
    heapMegabytes: 32,
  })
  try {
    await expect(client.call('fill')).rejects.toThrowError(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        params: { what: 'memory', limit: 32 * 1_048_576 },
      }),
    )
    expect(await client.call('again')).toBe('again')
  } finally {
    await client.close()
  }
})

test('ends the largest of several workers that fill the process heap together', async () => {
  const heaps = createHeapGuard(400 * 1_048_576, () => 0)
  const client = (name: string) =>
    createWorkerClient<string, string>({ url: pathToFileURL(program), name, heaps })
  const [small, large] = [client('Small'), client('Large')]
  try {
    expect(await small.call('hold')).toBe('hold')
    await expect(large.call('fill')).rejects.toThrowError(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        params: { what: 'memory', limit: heapLimits.together * 1_048_576 },
      }),
    )
    expect(await small.call('still here')).toBe('kept')
    expect(await large.call('again')).toBe('again')
  } finally {
    await Promise.all([small.close(), large.close()])
  }
})

test('fits the main thread and the two largest workers into the shared heap of a process', () => {
  const { shared, main, worker, document } = heapLimits
  const heaviest = [worker, document, defaultHeapMegabytes, pageHeapMegabytes]
    .toSorted((a, b) => b - a)
    .slice(0, 2)
  expect(main + heaviest.reduce((sum, megabytes) => sum + megabytes, 0)).toBeLessThanOrEqual(shared)
})
