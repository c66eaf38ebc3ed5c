import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createNetworkChoices } from '../../../src/main/services/network/network.ts'
import type { Settings } from '../../../src/shared/model/settings.ts'

function choices(settings: Partial<Settings>) {
  const all = { proxy: 'system', caFile: '', ...settings } as Settings
  const store = { settings: { get: () => all, update: () => all } }
  return createNetworkChoices(store, async () => 'http://system.example:3128')
}

test('the proxy is the system’s, none, or the one that was typed', async () => {
  const url = 'https://service.example/api'
  expect(await choices({}).proxyFor(url)).toBe('http://system.example:3128')
  expect(await choices({ proxy: 'none' }).proxyFor(url)).toBeNull()
  expect(await choices({ proxy: 'http://own.example:8080' }).proxyFor(url)).toBe(
    'http://own.example:8080',
  )
})

test.each(['http://127.0.0.1:4010', 'http://localhost/x', 'http://[::1]:9/x'])(
  '%s is this computer: no proxy stands between',
  async (url) => {
    expect(await choices({ proxy: 'http://own.example:8080' }).proxyFor(url)).toBeNull()
  },
)

test('a host that only looks like loopback goes through the proxy', async () => {
  expect(await choices({}).proxyFor('https://127.0.0.1.example.org/')).not.toBeNull()
})

test('a file that is no certificate is said, without path or content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-ca-'))
  const file = join(folder, 'private-name.txt')
  await writeFile(file, 'secret content')
  const error = await choices({ caFile: file })
    .extraCa()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'TLS_UNTRUSTED' })
  expect(String(error)).not.toMatch(/private-name|secret content/)
  await rm(folder, { recursive: true })
})
