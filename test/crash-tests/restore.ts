import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../fixtures/app.ts'
import { fileKeychain } from '../fixtures/file-keychain.ts'
import { randomFrom } from '../fixtures/random.ts'
import { filledHome, killed } from './erase.ts'
import type { CrashTest, CrashTestArguments } from './index.ts'

/** Result of the crash test; it rejects if a kill left anything but the previous or the restored library. */
export interface RestoreCrashTest {
  readonly rounds: number
  readonly old: number
  readonly restored: number
}

/** Kills the restore of a backup at random moments. The backup and the keys must exist afterward in any case. */
export async function crashTestRestore({
  rounds = 100,
  seed = 1,
  files = 20,
  log = () => undefined,
}: CrashTestArguments & {
  readonly files?: number
  readonly log?: (line: string) => void
} = {}): Promise<RestoreCrashTest> {
  const filled = await filledHome(files)
  const root = mkdtempSync(join(tmpdir(), 'lectern-crash-test-restored-'))
  const copy = { home: join(root, 'home'), keychain: join(root, 'keychain.json') }
  const random = randomFrom(seed)
  const found = { old: 0, restored: 0 }
  try {
    const undisturbed = await killed('restore', filled, copy, null)
    log(`a restore takes ${undisturbed.toFixed(0)} ms`)
    for (let round = 0; round < rounds; round += 1) {
      const afterMs = random() * undisturbed * 1.2
      await killed('restore', filled, copy, afterMs)
      const keychain = fileKeychain(copy.keychain)
      const app = await testApp({ home: copy.home, keychain })
      const { total } = await app.call('library.list', { limit: 1 })
      const { backups } = await app.call('backups.list', {})
      const { storage } = await app.call('app.info', {})
      await app.stop()
      const hasBackup = backups.some(({ id }) => id === filled.backup)
      const secrets = keychain.secrets().length
      const what = `round ${round}, killed after ${afterMs.toFixed(1)} ms: ${total} of ${filled.items} items, ${secrets} keys, backup ${hasBackup ? 'there' : 'gone'}, ${storage.state}`
      log(what)
      if (!hasBackup || secrets !== 3 || storage.state !== 'ok') throw new Error(what)
      if (total === filled.items) found.old += 1
      else if (total === filled.items - 1) found.restored += 1
      else throw new Error(what)
    }
    return { rounds, ...found }
  } finally {
    filled.remove()
    rmSync(root, { recursive: true, force: true })
  }
}

export const crashTest: CrashTest = {
  name: 'restore',
  async run(given) {
    console.log(await crashTestRestore({ ...given, log: (line) => console.log(line) }))
  },
}
