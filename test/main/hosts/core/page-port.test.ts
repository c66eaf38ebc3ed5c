import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PortAnswer } from '../../../../src/shared/contract/transport.ts'
import { servePort, type Port } from '../../../../src/main/hosts/core/page-port.ts'
import { testApp, type TestApp } from '../../../fixtures/app.ts'

// A page's port with the real app: what the page may send, and how files are uploaded.
const folder = mkdtempSync(join(tmpdir(), 'lectern-port-'))
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
  await app.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Wraps a Node port as an Electron port. */
const electronPort = (port: MessagePort): Port => ({
  postMessage: (message) => port.postMessage(message),
  on: (event: string, listener: (event: never) => void) =>
    event === 'message'
      ? port.on('message', (data) => listener({ data } as never))
      : port.on('close', listener as () => void),
  start: () => port.start(),
  close: () => port.close(),
})

function openPage(): {
  readonly port: MessagePort
  readonly answers: PortAnswer[]
  reply(id: number): Promise<unknown>
} {
  const { port1, port2 } = new MessageChannel()
  const answers: PortAnswer[] = []
  port2.on('message', (answer: PortAnswer) => void answers.push(answer))
  servePort(electronPort(port1), crypto.randomUUID(), {
    app: app.app,
    clock: Date.now,
    log: { info() {}, warn() {}, error() {} },
  })
  return {
    port: port2,
    answers,
    async reply(id) {
      const found = (): PortAnswer | undefined =>
        answers.find((answer) => answer.t === 'res' && answer.id === id)
      await expect.poll(found).toBeDefined()
      const answer = found()
      return answer?.t === 'res' ? answer.reply : null
    },
  }
}
const incoming = (): readonly string[] => {
  try {
    return readdirSync(join(app.home, 'media', 'incoming'))
  } catch {
    return []
  }
}
const bytes = (length: number, value: number): Buffer => Buffer.alloc(length, value)

describe('port of a page', () => {
  test('carries calls and pushed events', async () => {
    const page = openPage()
    page.port.postMessage({ t: 'req', id: 1, route: 'app.info', payload: {} })
    expect(await page.reply(1)).toMatchObject({ ok: true, data: { version: '0.0.0' } })
    page.port.postMessage({ t: 'req', id: 2, route: 'settings.update', payload: { theme: 'dark' } })
    const settings = expect.objectContaining({ theme: 'dark' })
    expect(await page.reply(2)).toEqual({ ok: true, data: settings })
    expect(page.answers).toContainEqual({
      t: 'push',
      event: { channel: 'app', event: { type: 'settings.changed', settings } },
    })
    page.port.close()
  })

  test.each([
    ['a string', 'req'],
    ['an unknown type', { t: 'run', id: 1 }],
    ['no id', { t: 'req', route: 'app.info', payload: {} }],
    ['an invalid route', { t: 'req', id: 1, route: { toString: 1 }, payload: {} }],
    ['an extra field', { t: 'cancel', id: 1, path: '/etc/passwd' }],
    ['an invalid target', { t: 'file', id: 1, target: '../x', name: 'a', size: 1, path: '/a' }],
  ])('closes on an invalid message: %s', async (_name, message) => {
    const page = openPage()
    const closed = new Promise((resolve) => page.port.once('close', () => resolve('closed')))
    page.port.postMessage(message)
    expect(await closed).toBe('closed')
  })

  test('imports a file by its path, with progress', async () => {
    const path = join(folder, 'three.bin')
    writeFileSync(path, bytes(3_000_000, 3))
    const page = openPage()
    const file = { t: 'file', id: 5, target: 'intake', name: 'three.bin', size: 3_000_000, path }
    page.port.postMessage(file)
    expect(await page.reply(5)).toMatchObject({
      ok: true,
      data: { media: { name: 'three.bin', bytes: 3_000_000 } },
    })
    const progress = page.answers.filter((answer) => answer.t === 'progress')
    expect(progress.at(-1)).toEqual({ t: 'progress', id: 5, bytes: 3_000_000 })
    page.port.close()
  })

  test('imports a file without a path in chunks, each on request', async () => {
    const page = openPage()
    const chunks = [bytes(1000, 1), bytes(500, 2)]
    page.port.on('message', (answer: PortAnswer) => {
      if (answer.t !== 'more') return
      const next = chunks.shift()
      page.port.postMessage({ t: 'piece', id: 6, bytes: next ? new Uint8Array(next).buffer : null })
    })
    page.port.postMessage({
      t: 'file',
      id: 6,
      target: 'intake',
      name: 'made.bin',
      size: 1500,
      path: null,
    })
    expect(await page.reply(6)).toMatchObject({ ok: true, data: { media: { bytes: 1500 } } })
    expect(page.answers.filter(({ t }) => t === 'more')).toHaveLength(3)
    page.port.close()
  })

  test('leaves nothing of a canceled file, by path and in chunks', async () => {
    const path = join(folder, 'endless')
    const page = openPage()
    page.port.postMessage({ t: 'file', id: 7, target: 'intake', name: 'a', size: 10, path: null })
    await expect.poll(() => page.answers.some(({ t }) => t === 'more')).toBe(true)
    page.port.postMessage({ t: 'cancel', id: 7 })
    expect(await page.reply(7)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })

    writeFileSync(path, '')
    truncateSync(path, 4 * 1024 ** 3)
    page.port.postMessage({ t: 'file', id: 8, target: 'intake', name: 'a', size: 4e9, path })
    await expect.poll(() => page.answers.some(({ t }) => t === 'progress')).toBe(true)
    const requestedAt = performance.now()
    page.port.postMessage({ t: 'cancel', id: 8 })
    expect(await page.reply(8)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
    expect(performance.now() - requestedAt).toBeLessThan(5000)
    await expect.poll(incoming).toEqual([])
    page.port.close()
  })

  test.each(['intake', 'archive'] as const)(
    'reports a file that changes between two chunks as unreadable and leaves nothing (%s)',
    async (target) => {
      const page = openPage()
      const answers = [
        { t: 'piece', id: 6, bytes: new Uint8Array(1000).buffer },
        { t: 'unreadable', id: 6 },
      ]
      page.port.on('message', ({ t }: PortAnswer) => {
        if (t === 'more') page.port.postMessage(answers.shift())
      })
      const file = { t: 'file', id: 6, target, name: 'made.bin', size: 2000, path: null }
      page.port.postMessage(file)
      expect(await page.reply(6)).toMatchObject({ ok: false, error: { code: 'FILE_UNREADABLE' } })
      await expect.poll(incoming).toEqual([])
      page.port.close()
    },
  )

  test('removes the unfinished files of a page that disconnects', async () => {
    const page = openPage()
    page.port.postMessage({ t: 'file', id: 9, target: 'intake', name: 'a', size: 10, path: null })
    await expect.poll(() => page.answers.some(({ t }) => t === 'more')).toBe(true)
    page.port.close()
    await expect.poll(incoming).toEqual([])
  })

  test.each([
    ['reports a missing file', () => join(folder, 'gone.wav')],
    ['reports a folder instead of a file', () => folder],
    [
      'reports a pipe without a writer',
      () => {
        const path = join(folder, `pipe-${process.pid}`)
        execFileSync('mkfifo', [path])
        return path
      },
    ],
  ])('%s', async (_name, path) => {
    const page = openPage()
    page.port.postMessage({ t: 'file', id: 1, target: 'intake', name: 'a', size: 1, path: path() })
    expect(await page.reply(1)).toMatchObject({ ok: false, error: { code: 'FILE_UNREADABLE' } })
    page.port.close()
  })
})
