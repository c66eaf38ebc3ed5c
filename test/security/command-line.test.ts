import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removal } from '../../src/system/file-moves.ts'
import { pdfTableBomb } from '../fixtures/pdf-bomb.ts'
import { watchTree } from '../fixtures/tree-memory.ts'

// Attacks on the command: what it leaves of locked PDFs when it is ended, what its programs know, what a small file costs.

const patience = 120_000
const password = 'open-sesame-of-the-test'
const key = 'a-key-of-the-test'

let folder: string
let temporary: string
let server: Server
/** A service got a file, and does not answer. */
let asked: Promise<void>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-attack-'))
  temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const pdf = await PDFDocument.create()
  pdf.addPage([400, 300])
  pdf.encrypt({ userPassword: password, ownerPassword: 'another' })
  await writeFile(join(folder, 'locked.pdf'), await pdf.save())
  const arrived = Promise.withResolvers<void>()
  asked = arrived.promise
  server = createServer((request) => void request.resume().on('end', arrived.resolve))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => void server.close(done))
  await rm(folder, removal)
})

const parse = (file: string) =>
  spawn(
    process.execPath,
    [
      resolve('src/cli/main.ts'),
      'layout.parse',
      '--file',
      file,
      '--base-url',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ],
    {
      cwd: folder,
      stdio: 'ignore',
      env: {
        ...process.env,
        LECTERN_HOME: join(folder, 'home'),
        LECTERN_KEY: key,
        LECTERN_PDF_PASSWORD: password,
        TMPDIR: temporary,
      },
    },
  )

const copies = async (): Promise<readonly string[]> =>
  (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith('.pdf'))

test.runIf(process.platform !== 'win32').each([
  ['the end of its terminal', ['SIGHUP']],
  ['a first and a second request to stop', ['SIGINT', 'SIGTERM']],
] as const)(
  'no unlocked copy of a PDF stays after %s, and nobody else reads it before',
  async (_how, signals) => {
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    try {
      await asked
      const [copy, ...more] = await copies()
      expect(more).toEqual([])
      const [own] = await readdir(temporary)
      expect((await stat(join(temporary, own ?? ''))).mode & 0o077).toBe(0)
      expect((await stat(join(temporary, copy ?? ''))).mode & 0o077).toBe(0)
      for (const signal of signals) child.kill(signal)
      await ended
      expect(await readdir(temporary)).toEqual([])
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)

test(
  'a copy that a killed command left goes with the next locked PDF a day later',
  async () => {
    const left = join(temporary, 'lectern-unlocked-killed')
    const recent = join(temporary, 'lectern-unlocked-running')
    await Promise.all([mkdir(left), mkdir(recent)])
    await writeFile(join(left, 'pages.pdf'), 'words')
    const before = (Date.now() - 25 * 60 * 60_000) / 1000
    await utimes(left, before, before)
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    try {
      await asked
      const names = await readdir(temporary)
      expect(names).not.toContain('lectern-unlocked-killed')
      expect(names).toContain('lectern-unlocked-running')
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)

test.runIf(process.platform === 'linux')(
  'programs that read files for the command do not see the key or the password',
  async () => {
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    try {
      await asked
      const begun = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      const pids = begun.trim().split(/\s+/)
      expect(begun).not.toBe('')
      for (const pid of pids) {
        const seen = await readFile(`/proc/${pid}/environ`, 'utf8')
        expect(seen).toContain('TMPDIR')
        expect(seen.includes(key) || seen.includes(password)).toBe(false)
      }
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)

test(
  'a PDF whose table of objects unfolds to gigabytes costs the command little, and is sent as it is',
  async () => {
    const bomb = pdfTableBomb(1000)
    expect(bomb.length).toBeLessThan(5000)
    await writeFile(join(folder, 'bomb.pdf'), bomb)
    const memory = watchTree()
    const child = parse('bomb.pdf')
    const ended = once(child, 'close')
    try {
      await asked
      expect(memory.grewBy()).toBeLessThan(1_500_000_000)
    } finally {
      memory.stop()
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)
