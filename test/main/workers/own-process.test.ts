import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createWorkerClient } from '../../../src/main/platform/workers/client.ts'
import { forkedProcess } from '../../../src/system/own-process/fork.ts'
import { eventually } from '../../fixtures/eventually.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Replies with its process ID; allocates buffers endlessly, keeps some, hangs, fills its heap or throws when requested.
 */
const program = join(folder, 'program.mjs')
writeFileSync(
  program,
  `import { parentPort } from 'node:worker_threads'
let kept = null
parentPort.on('message', (message) => {
  if (message === 'end') return parentPort.close()
  const held = []
  if (message.request === 'keep') kept = new Uint8Array(150_000_000).fill(1)
  while (message.request === 'grow') held.push(new Uint8Array(4_000_000).fill(1))
  while (message.request === 'fill') held.push({ text: 'a'.repeat(held.length % 50), at: [held.length] })
  while (message.request === 'hang') continue
  if (message.request === 'throw') throw new Error('a fault of its own')
  const reply = () => parentPort.postMessage({ id: message.id, ok: true, value: process.pid })
  if (message.request === 'wait') setTimeout(reply, 1000)
  else reply()
})`,
)
const entry = new URL('../../../src/main/workers/own-process.ts', import.meta.url)
const openProcess = forkedProcess(entry)
const client = (options: { readonly timeoutMs?: number; readonly heapMegabytes?: number } = {}) =>
  createWorkerClient<string, number>({
    url: pathToFileURL(program),
    name: 'Growing',
    maxMemory: 200_000_000,
    openProcess,
    ...options,
  })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('ends a program that allocates memory endlessly with its process, and starts another', async () => {
  const growing = client()
  try {
    const first = await growing.call('who')
    expect(first).not.toBe(process.pid)
    expect(await growing.call('who')).toBe(first)
    await expect(growing.call('grow')).rejects.toThrowError(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        params: { what: 'memory', limit: 200_000_000 },
      }),
    )
    await eventually(() => expect(isAlive(first)).toBe(false))
    expect(await growing.call('who')).not.toBe(first)
    await expect(growing.call('grow', 100_000_000)).rejects.toThrowError(
      expect.objectContaining({ params: { what: 'memory', limit: 100_000_000 } }),
    )
  } finally {
    await growing.close()
  }
})

test('repeats a request in a new process if the memory of earlier ones is too much for it', async () => {
  const growing = client()
  try {
    const first = await growing.call('keep')
    const second = await growing.call('wait', 100_000_000)
    expect(second).not.toBe(first)
    // That process keeps nothing.
    expect(await growing.call('wait', 100_000_000)).toBe(second)
  } finally {
    await growing.close()
  }
})

test('ends only the program that fills its heap, throws or never responds', async () => {
  const failing = client({ heapMegabytes: 32 })
  const hanging = client({ timeoutMs: 4000 })
  try {
    await expect(failing.call('fill')).rejects.toThrowError(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    )
    await expect(failing.call('throw')).rejects.toThrowError(
      expect.objectContaining({
        code: 'ENGINE_UNAVAILABLE',
        message: expect.stringContaining('a fault of its own'),
      }),
    )
    // On a busy machine, its start may take longer than a call may.
    const pid = await eventually(() => hanging.call('who'))
    await expect(hanging.call('hang')).rejects.toThrowError(
      expect.objectContaining({ code: 'TIMEOUT' }),
    )
    await eventually(() => expect(isAlive(pid)).toBe(false))
  } finally {
    await Promise.all([failing.close(), hanging.close()])
  }
})

test('ends a process with its parent, however the parent ends', async () => {
  const owner = join(folder, 'owner.mjs')
  writeFileSync(
    owner,
    `import { forkedProcess } from ${JSON.stringify(new URL('../../../src/system/own-process/fork.ts', import.meta.url).href)}
import { startOwnProcess } from ${JSON.stringify(new URL('../../../src/system/own-process/program.ts', import.meta.url).href)}
const made = startOwnProcess(forkedProcess(new URL(${JSON.stringify(entry.href)})), {
  url: ${JSON.stringify(pathToFileURL(program).href)}, name: 'Left', data: null, heapMegabytes: 64, maxGrowth: 1e9 })
made.on('message', ({ value }) => process.send(value))
made.on('exit', () => process.exit(1))
made.postMessage({ id: 1, request: 'who' })
process.on('disconnect', () => process.exit(1))
setInterval(() => {}, 1000)`,
  )
  const child = fork(owner, [], { cwd: fileURLToPath(new URL('../../..', import.meta.url)) })
  const [pid] = (await once(child, 'message')) as [number]
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGKILL')
  await eventually(() => expect(isAlive(pid)).toBe(false))
})
