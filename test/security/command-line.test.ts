import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { removal } from '../../src/system/file-moves.ts'
import { testApp } from '../fixtures/app.ts'
import { eventually } from '../fixtures/eventually.ts'
import { pdfTableBomb } from '../fixtures/pdf-bomb.ts'
import { watchTree } from '../fixtures/tree-memory.ts'

// Attacks on the command line: remains of locked PDFs when it is killed, knowledge of its programs, cost of a small file.

const patience = 120_000
const password = 'open-sesame-of-the-test'
const key = 'a-key-of-the-test'
/** A secret of another program in the same shell. */
const foreign = 'a-secret-of-another-program'

let folder: string
let temporary: string
let server: Server
/** Resolves when a service received a file that it does not answer. */
let requestArrived: Promise<void>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-attack-'))
  temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const pdf = await PDFDocument.create()
  pdf.addPage([400, 300])
  pdf.encrypt({ userPassword: password, ownerPassword: 'another' })
  await writeFile(join(folder, 'locked.pdf'), await pdf.save())
  const arrived = Promise.withResolvers<void>()
  requestArrived = arrived.promise
  server = createServer((request) => void request.resume().on('end', arrived.resolve))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => void server.close(done))
  await rm(folder, removal)
})

const command = (args: readonly string[]) =>
  spawn(process.execPath, [resolve('src/cli/main.ts'), ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      LECTERN_HOME: join(folder, 'home'),
      LECTERN_KEY: key,
      LECTERN_PDF_PASSWORD: password,
      AWS_SECRET_ACCESS_KEY: foreign,
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
    },
  })
const parse = (file: string) =>
  command([
    'layout.parse',
    '--file',
    file,
    '--base-url',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ])

/** Returns the ID of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'close')
  return child.pid ?? 0
}

const copies = async (): Promise<readonly string[]> =>
  (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith('.pdf'))

test.each([
  ['an unlocked copy of a PDF is private, and deleted when its terminal closes', ['SIGHUP']],
  [
    'an unlocked copy of a PDF is private, and deleted after two requests to stop',
    ['SIGINT', 'SIGTERM'],
  ],
] as const)(
  '%s',
  async (_how, signals) => {
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    try {
      await requestArrived
      // On Linux the copy has no name while it is being sent.
      expect(await copies()).toHaveLength(process.platform === 'linux' ? 0 : 1)
      for (const own of await readdir(temporary, { recursive: true }))
        expect((await stat(join(temporary, own))).mode & 0o077).toBe(0)
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
  'removes a copy left by a killed command with the next command of any kind',
  async () => {
    const [killed, running, old] = [await endedPid(), process.pid, 'x'].map((by) =>
      join(temporary, `lectern-unlocked-${by}-abc`),
    ) as [string, string, string]
    for (const left of [killed, running, old]) {
      await mkdir(left)
      await writeFile(join(left, 'pages.pdf'), 'words')
    }
    const before = (Date.now() - 25 * 60 * 60_000) / 1000
    await utimes(old, before, before)
    const child = command(['--help'])
    await once(child, 'close')
    expect(await readdir(temporary)).toEqual([basename(running)])
  },
  patience,
)

test('removes a copy left by a killed command when Lectern starts', async () => {
  const left = join(temporary, `lectern-unlocked-${await endedPid()}-abc`)
  await mkdir(left)
  await writeFile(join(left, 'pages.pdf'), 'words')
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lectern = await testApp({ home: join(folder, 'home') })
  onTestFinished(() => lectern.stop())
  await eventually(async () => expect(await readdir(temporary)).not.toContain(basename(left)))
})

test(
  'leaves nothing to read when a command is killed while sending an unlocked copy',
  async () => {
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    await requestArrived
    child.kill('SIGKILL')
    await ended
    expect(await copies()).toEqual([])
  },
  patience,
)

test(
  'hides the key, the password and other programs’ secrets from file-reading programs',
  async () => {
    const child = parse('locked.pdf')
    const ended = once(child, 'close')
    try {
      await requestArrived
      const begun = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      const pids = begun.trim().split(/\s+/)
      expect(begun).not.toBe('')
      for (const pid of pids) {
        const seen = await readFile(`/proc/${pid}/environ`, 'utf8')
        expect(seen).toContain('TMPDIR')
        expect([key, password, foreign].filter((one) => seen.includes(one))).toEqual([])
      }
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)

test(
  'handles a PDF whose object table expands to gigabytes at low cost and sends it as it is',
  async () => {
    const bomb = pdfTableBomb(1000)
    expect(bomb.length).toBeLessThan(5000)
    await writeFile(join(folder, 'bomb.pdf'), bomb)
    const memory = watchTree()
    const child = parse('bomb.pdf')
    const ended = once(child, 'close')
    try {
      await requestArrived
      expect(memory.grewBy()).toBeLessThan(1_500_000_000)
    } finally {
      memory.stop()
      child.kill('SIGKILL')
      await ended
    }
  },
  patience,
)
