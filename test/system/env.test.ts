import { expect, onTestFinished, test, vi } from 'vitest'
import { createWorkerClient } from '../../src/main/platform/workers/client.ts'
import { coreEnv, neededEnv, withoutSecrets } from '../../src/system/own-process/env.ts'

const shell = {
  PATH: '/usr/bin',
  LC_ALL: 'en_US.UTF-8',
  XDG_RUNTIME_DIR: '/run/user/1000',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  TMPDIR: '/tmp',
  LECTERN_KEY: 'a-key',
  lectern_pdf_password: 'open-sesame',
  AWS_SECRET_ACCESS_KEY: 'of another program',
  NODE_OPTIONS: '--inspect',
  LECTERN_HOME: '/elsewhere',
}
const few = ['PATH', 'LC_ALL', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'TMPDIR']

test('passes only the needed environment to processes and threads', () => {
  expect(Object.keys(neededEnv(shell))).toEqual(few)
  expect(coreEnv(shell, '/data')).toEqual({ ...neededEnv(shell), LECTERN_HOME: '/data' })
  expect(neededEnv({ SystemRoot: 'C:\\Windows', Path: 'C:\\', windir: undefined })).toEqual({
    SystemRoot: 'C:\\Windows',
    Path: 'C:\\',
  })
})

test('passes everything except Lectern’s secrets to other programs', () => {
  expect(Object.keys(withoutSecrets(shell))).toEqual([
    ...few,
    'AWS_SECRET_ACCESS_KEY',
    'NODE_OPTIONS',
    'LECTERN_HOME',
  ])
})

test('hides the secrets Lectern was started with from workers', async () => {
  vi.stubEnv('LECTERN_KEY', 'a-key-of-the-test')
  const program = `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, ok: true, value: process.env }))`
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
  const client = createWorkerClient<null, Record<string, string>>({ url, name: 'Test' })
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await client.close()
  })
  const seen = await client.call(null)
  expect(seen).toHaveProperty('PATH')
  expect(seen).not.toHaveProperty('LECTERN_KEY')
})
