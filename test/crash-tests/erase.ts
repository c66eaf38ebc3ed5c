import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testApp } from '../fixtures/app.ts'
import { fileKeychain } from '../fixtures/file-keychain.ts'
import { randomFrom } from '../fixtures/random.ts'
import { sineWav } from '../fixtures/wav.ts'
import type { CrashTest, CrashTestArguments } from './index.ts'

const child = fileURLToPath(new URL('erase-child.ts', import.meta.url))
/** Marker in every text, name and key, so that any leftover is found. */
const canary = 'canary-of-the-erased-library'

const settings = {
  kind: 'assistant',
  assistantId: '65940acff94777010aa6b796',
  model: null,
  doSample: null,
  translate: null,
} as const

/** Data folder with data of each type, and its keychain; `keys` accounts have one key each. */
export interface Filled {
  readonly home: string
  readonly keychain: string
  /** Backup in it with one item fewer than the library. */
  readonly backup: string
  readonly items: number
  remove(): void
}

/** Fills a data folder through the app's own routes. */
export async function filledHome(files: number): Promise<Filled> {
  const root = mkdtempSync(join(tmpdir(), 'lectern-crash-test-erase-'))
  const home = join(root, 'home')
  const keychain = join(root, 'keychain.json')
  const app = await testApp({ home, keychain: fileKeychain(keychain) })
  for (const name of ['one', 'two', 'three']) {
    const account = await app.call('accounts.create', {
      preset: 'bigmodel',
      name: `${canary} ${name}`,
    })
    await app.call('accounts.setKey', { id: account.id, key: `${canary}-${name}-0123456789` })
  }
  const bring = async (at: number): Promise<void> => {
    const audio = sineWav({ seconds: 0.2, hz: 80 + at })
    const intake = await app.intake(`${canary} ${at}.wav`, audio)
    if (!intake.ok) throw new Error(intake.error.code)
    const { id } = await app.call('chats.create', { settings })
    await app.call('library.rename', { id, title: `${canary} ${at}` })
  }
  for (let at = 0; at < files; at += 1) await bring(at)
  const { backups } = await app.call('backups.make', {})
  await bring(files)
  const { total } = await app.call('library.list', { limit: 1 })
  await app.stop()
  return {
    home,
    keychain,
    backup: backups[0]?.id ?? '',
    items: total,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/**
 * Runs the child on a copy of the folder and kills it after this many milliseconds; null lets it finish. Returns its duration.
 */
export async function killed(
  what: 'erase' | 'restore',
  filled: Filled,
  copy: { readonly home: string; readonly keychain: string },
  afterMs: number | null,
): Promise<number> {
  rmSync(copy.home, { recursive: true, force: true })
  cpSync(filled.home, copy.home, { recursive: true })
  cpSync(filled.keychain, copy.keychain)
  const program = spawn(process.execPath, [child, what, copy.home, copy.keychain, filled.backup], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(program, 'exit')
  let began = 0
  let durationMs = 0
  program.stdout.on('data', (chunk: Buffer) => {
    const lines = chunk.toString()
    if (lines.includes('begin')) {
      began = performance.now()
      if (afterMs !== null) void pause(afterMs).then(() => program.kill('SIGKILL'))
    }
    if (lines.includes('end')) durationMs = performance.now() - began
  })
  await ended
  return durationMs
}

/** Returns files below a folder that contain the canary or have it in their name. */
export const filesWithCanary = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(home, path)).isFile())
    .filter((path) => path.includes(canary) || readFileSync(join(home, path)).includes(canary))

/** Result of the crash test; it rejects if a kill left a partial state. */
export interface EraseCrashTest {
  readonly rounds: number
  /** Kills after which the next start found nothing begun, or completed the erase or found it complete. */
  readonly whole: number
  readonly finished: number
  readonly empty: number
}

/**
 * Kills an erase at random moments; the next start must find the whole library, or nothing of it: no row, file, backup or key.
 */
export async function crashTestErase({
  rounds = 100,
  seed = 1,
  files = 60,
  log = () => undefined,
}: CrashTestArguments & {
  readonly files?: number
  readonly log?: (line: string) => void
} = {}): Promise<EraseCrashTest> {
  const filled = await filledHome(files)
  const root = mkdtempSync(join(tmpdir(), 'lectern-crash-test-erased-'))
  const copy = { home: join(root, 'home'), keychain: join(root, 'keychain.json') }
  const random = randomFrom(seed)
  const found = { whole: 0, finished: 0, empty: 0 }
  try {
    const undisturbed = await killed('erase', filled, copy, null)
    log(`an erase takes ${undisturbed.toFixed(0)} ms`)
    for (let round = 0; round < rounds; round += 1) {
      const afterMs = random() * undisturbed * 1.1
      await killed('erase', filled, copy, afterMs)
      const keychain = fileKeychain(copy.keychain)
      const app = await testApp({ home: copy.home, keychain })
      const accounts = await app.call('accounts.list', {})
      const { total } = await app.call('library.list', { limit: 1 })
      const { storage } = await app.call('app.info', {})
      await app.stop()
      const left = filesWithCanary(copy.home)
      const secrets = keychain.secrets().length
      const what = `round ${round}, killed after ${afterMs.toFixed(1)} ms: ${accounts.length} accounts, ${total} items, ${secrets} keys, ${left.length} files, ${storage.state}`
      log(what)
      if (total === filled.items && accounts.length === 4 && secrets === 3) found.whole += 1
      else if (total + secrets + left.length + accounts.length === 1)
        if (storage.state === 'erased') found.finished += 1
        else found.empty += 1
      else throw new Error(`Neither whole nor empty. ${what}: ${left.slice(0, 5).join(', ')}`)
    }
    return { rounds, ...found }
  } finally {
    filled.remove()
    rmSync(root, { recursive: true, force: true })
  }
}

export const crashTest: CrashTest = {
  name: 'erase',
  async run(given) {
    console.log(await crashTestErase({ ...given, log: (line) => console.log(line) }))
  },
}
