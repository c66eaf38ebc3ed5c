import { createApp } from '../../app.ts'
import { createIds } from '../support/ids.ts'
import { openLogFile } from '../support/log-file.ts'
import { placesOf } from '../support/data-folders.ts'
import { setupSteadyThreads } from '../../../system/v8-wasm-workaround.ts'
import { createKeyring } from '../../platform/secrets/keyring.ts'
import { privateByDefault } from '../../platform/security/private-files.ts'
import { createLog, createRedactor } from '../../platform/security/redact.ts'
import { serveCore } from './serve.ts'

// The core: everything but windows, in its own utility process. Nothing synchronous here (SQLite, parsing, merging)
// can block Chromium's UI thread. API keys are read and used only here.
setupSteadyThreads()
privateByDefault()
const clock = Date.now
const redactor = createRedactor()
const home = process.env['LECTERN_HOME'] ?? ''
const log = createLog({ write: openLogFile(home), redactor, clock })
process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
process.on('uncaughtException', (error) => {
  log.error('uncaught exception', { error })
  // The host starts another core; everything recorded so far is on disk.
  process.exit(1)
})

serveCore(process.parentPort, {
  build: (services, openProcess) =>
    createApp({
      ...services,
      openProcess,
      keychain: createKeyring({ platform: process.platform }),
      log,
      redactor,
      workerUrl: placesOf(import.meta.url).workerUrl,
      clock,
      ids: createIds(clock),
    }),
  clock,
  log,
})
