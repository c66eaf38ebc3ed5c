import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { discard, moveFile, moveFileSync, removal } from '../../src/system/file-moves.ts'
import { held } from '../fixtures/held.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-moves-'))
})
afterEach(() => rmSync(folder, removal))

test('replaces a file that another program has open briefly', async () => {
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  writeFileSync(from, 'new')
  const letGo = held(to)
  setTimeout(letGo, 200)
  await moveFile(from, to)
  expect([readFileSync(to, 'utf8'), existsSync(from)]).toEqual(['new', false])
})

test('replaces it synchronously, while the thread waits', async () => {
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  writeFileSync(from, 'new')
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    const db = new (require(workerData.sqlite))(workerData.path)
    db.pragma('user_version')
    parentPort.postMessage('open')
    setTimeout(() => db.close(), 200)`
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  const worker = new Worker(program, { eval: true, workerData: { sqlite, path: to } })
  await new Promise((open) => worker.once('message', open))
  moveFileSync(from, to)
  expect([readFileSync(to, 'utf8'), existsSync(from)]).toEqual(['new', false])
  await worker.terminate()
})

test('deletes a folder once the last of its files is released', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const letGo = held(join(inner, 'library.db'))
  setTimeout(letGo, 200)
  await rm(inner, removal)
  expect(existsSync(inner)).toBe(false)
})

test('logs a temporary file that cannot be removed without throwing', async () => {
  const warned: string[] = []
  await discard('no\0path', { warn: (message) => void warned.push(message) })
  await discard(join(folder, 'gone'), { warn: (message) => void warned.push(message) })
  expect(warned).toEqual(['failed to remove a file'])
})

test('fails at once when a file cannot be moved for other reasons', async () => {
  const begun = performance.now()
  for (const platform of ['win32', 'linux']) {
    await expect(moveFile(join(folder, 'none'), join(folder, 'to'), platform)).rejects.toThrow(
      /ENOENT/,
    )
    expect(() => moveFileSync(join(folder, 'none'), join(folder, 'to'), platform)).toThrow(/ENOENT/)
  }
  expect(performance.now() - begun).toBeLessThan(1000)
})
