import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { forkedProcess } from '../system/own-process/fork.ts'
import { startLocalService } from './server.ts'

const usage = `Runs the on-device service until it is stopped.
  --port N    port on 127.0.0.1 (default: 4010; 0 for any free port)
  --key K     bearer key for requests (default: a new one, printed)
  --home DIR  data folder (default: .lectern-local-service in the home folder)
  --faults    adds POST /__faults, for tests`

const root = fileURLToPath(new URL('../../', import.meta.url))

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      key: { type: 'string' },
      home: { type: 'string' },
      faults: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return
  }
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('--port must be a number from 0 to 65535')
  // Private audio and documents: no other user of this computer may read them.
  process.umask(0o077)
  // Engines start and end as threads that share wasm code, which V8 of Node 24 can free too early: no generic wrapper, nothing to
  // free.
  setFlagsFromString('--no-wasm-generic-wrapper')
  const service = await startLocalService({
    port,
    key: values.key ?? randomBytes(24).toString('base64url'),
    home: resolve(values.home ?? join(homedir(), '.lectern-local-service')),
    modelsDir: process.env['LECTERN_MODELS'] || join(root, 'resources', 'models'),
    workerUrls: {
      speech: new URL('./workers/speech.ts', import.meta.url),
      text: new URL('./workers/text.ts', import.meta.url),
      pages: new URL('./workers/pages.ts', import.meta.url),
    },
    openProcess: forkedProcess(new URL('../main/workers/own-process.ts', import.meta.url)),
    faults: values.faults,
  })
  process.stdout.write(
    `The on-device service is at ${service.url} with the API key ${service.key}\n`,
  )
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => void service.stop().then(() => process.exit(0)))
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
