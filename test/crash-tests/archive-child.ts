import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { exportArchive } from '../../src/main/domains/library/archive/export.ts'
import { placeArchive } from '../../src/main/domains/library/archive/place-archive.ts'
import { archivePlaces } from '../../src/main/domains/library/archive/layout.ts'
import { progressIn, progressOwner } from '../../src/main/platform/zip/progress.ts'
import { unpack } from '../../src/main/domains/library/archive/unpack.ts'
import { backupPath } from '../../src/main/library-database/backup.ts'
import { openStore } from '../../src/main/library-database/open.ts'
import { storePaths } from '../../src/main/platform/database/paths.ts'
import { workerUrl } from '../fixtures/worker-url.ts'

// Child process to be killed: writes or imports an archive of a library, and reports its progress.
const [mode = '', home = '', archive = ''] = process.argv.slice(2)
// Written synchronously: data in the pipe outlives this process.
const say = (line: string): void => void writeSync(1, `${line}\n`)
const quiet = (): void => undefined
const log = { info: quiet, warn: quiet, error: quiet }
const progress = progressIn(progressOwner().memory)
const paths = storePaths(home)
const computer = join(home, 'this-computer')

say('start')
if (mode === 'export') {
  const at = Date.now()
  const common = { home, database: paths.database, computer, app: 'crash-tests', at }
  await exportArchive({ ...common, to: archive, verify: true }, progress)
} else {
  const store = await openStore({
    home,
    clock: Date.now,
    workerUrl,
    log,
    appVersion: 'crash-tests',
  })
  say('open')
  const { staged } = archivePlaces(home)
  const { known } = await unpack({ home, archive, into: staged }, progress)
  say('unpacked')
  const at = Date.now()
  const keepAs = backupPath(paths, at, 'before-import')
  const mark = { id: 'crash-tests', at, file: 'crash-tests' }
  const placing = { home, database: paths.database, computer, staged, known, mark, keepAs }
  await store.exchange(
    () => {
      say('closed')
      return placeArchive(placing, progress)
    },
    () => undefined,
  )
  say('placed')
  await store.close()
}
say('done')
