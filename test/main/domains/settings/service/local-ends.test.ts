import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { removal } from '../../../../../src/system/file-moves.ts'

// Stopping a thread while it loads SQLite crashes the whole process: repeating this shows it within seconds.
test('the local service can be stopped at any moment of its start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-ends-'))
  const source = (path: string): string =>
    pathToFileURL(join(import.meta.dirname, '../../../../..', path)).href
  writeFileSync(
    join(folder, 'ends.mjs'),
    `import { createLocalService } from '${source('src/main/domains/settings/service/local/local.ts')}'
     const log = { info() {}, warn() {}, error() {} }
     const workerUrl = (name) => new URL('${source('src/local-service/workers')}/' + name + '.ts')
     for (let round = 0; round < 12; round++) {
       const local = createLocalService({ home: ${JSON.stringify(join(folder, 'home'))}, modelsDir: '', workerUrl, log, onState() {}, search: async () => [] })
       local.address().catch(() => undefined)
       await new Promise((resolve) => setTimeout(resolve, round * 25))
       await local.stop()
     }
     console.log('all ended')`,
  )
  try {
    const child = spawn(process.execPath, ['--no-warnings', join(folder, 'ends.mjs')])
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect([code, signal, output.trim()]).toEqual([0, null, 'all ended'])
  } finally {
    rmSync(folder, removal)
  }
})
