import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createWorkerClient } from '../../../src/main/workers/client.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Takes memory without end when it is told to, and never listens meanwhile. */
const program = join(folder, 'program.mjs')
writeFileSync(
  program,
  `import { parentPort } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message === 'end') return parentPort.close()
  const held = []
  while (message.request === 'grow') held.push(new Uint8Array(4_000_000))
  parentPort.postMessage({ id: message.id, ok: true, value: message.request })
})`,
)

test('a program that takes memory without end is stopped, and what waited behind it may be asked again', async () => {
  const client = createWorkerClient<string, string>({
    url: pathToFileURL(program),
    name: 'Growing',
    mostMemory: 200_000_000,
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
