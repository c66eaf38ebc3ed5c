import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sineWav } from '../../fixtures/wav.ts'
import { builtFiles, root } from './built.ts'

test('the built Electron host starts completely with the mock: page, bridge, intake, media, quit', async () => {
  builtFiles('out/main')
  const home = await mkdtemp(join(tmpdir(), 'lectern-built-'))
  try {
    const wav = Buffer.from(sineWav({ seconds: 0.2, hz: 440 }))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--no-warnings',
        join(root, 'test/main/packaging/built-entry.mjs'),
        join(root, 'out/main/index.js'),
        join(root, 'test/main/hosts/electron/electron-mock.ts'),
        wav.toString('base64'),
      ],
      { env: { ...process.env, LECTERN_HOME: home }, timeout: 60_000 },
    )
    const result: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    expect(result).toEqual({
      readBefore: false,
      page: 200,
      policy: expect.stringContaining("default-src 'none'"),
      script: expect.stringMatching(/^\/assets\/index-.+\.js$/),
      asset: 200,
      loopbackChunk: false,
      intake: true,
      part: [206, 'RIFF', 'app://bundle'],
      info: { host: 'electron', mediaBase: 'app://media/', storage: { state: 'ok' } },
      strangers: null,
      list: true,
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}, 120_000)
