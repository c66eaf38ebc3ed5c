import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TrustHost, TrustQuestion } from '../../../../../src/main/host.ts'
import { readCertificateFile } from '../../../../../src/main/hosts/support/certificate-file.ts'
import { createNetworkChoices } from '../../../../../src/main/domains/settings/service/network/network.ts'
import type { Settings } from '../../../../../src/shared/contract/settings.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'
import { selfSigned } from '../../../../fixtures/self-signed.ts'

let folder: string
let app: TestApp | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-network-'))
})
afterEach(async () => {
  await app?.remove()
  app = null
  rmSync(folder, { recursive: true, force: true })
})

function choices(settings: Partial<Settings>) {
  const all = { proxy: 'system', certificates: [], ...settings } as unknown as Settings
  const store = { settings: { get: () => all, update: () => all } }
  return createNetworkChoices(store, folder, async () => 'http://system.example:3128')
}

test('uses the system proxy, none, or the one that was entered', async () => {
  const url = 'https://service.example/api'
  expect(await choices({}).proxyFor(url)).toBe('http://system.example:3128')
  expect(await choices({ proxy: 'none' }).proxyFor(url)).toBeNull()
  expect(await choices({ proxy: 'http://own.example:8080' }).proxyFor(url)).toBe(
    'http://own.example:8080',
  )
})

test.each(['http://127.0.0.1:4010', 'http://localhost/x', 'http://[::1]:9/x'])(
  '%s is this computer: no proxy is used',
  async (url) => {
    expect(await choices({ proxy: 'http://own.example:8080' }).proxyFor(url)).toBeNull()
  },
)

test('a host that only looks like loopback uses the proxy', async () => {
  expect(await choices({}).proxyFor('https://127.0.0.1.example.org/')).not.toBeNull()
})

/** A host whose user gives these answers; records the questions. */
function user(answers: { yes: boolean; file?: string; home?: () => string }) {
  const questions: TrustQuestion[] = []
  const trust: TrustHost = {
    async confirm(question) {
      questions.push(question)
      return answers.yes
    },
    chooseCertificates: async () =>
      answers.file === undefined
        ? null
        : readCertificateFile(answers.file, answers.home?.() ?? folder),
  }
  return { trust, questions }
}

const elsewhere = (): string => join(folder, 'home')

test('copies certificates, shows their fingerprint, and trusts them once the user confirmed', async () => {
  const first = selfSigned('office.example').cert
  const file = join(folder, 'bundle.pem')
  writeFileSync(file, `notes about it\n${first}\nmore notes\n${selfSigned('lab.example').cert}`)
  const { trust, questions } = user({ yes: true, file, home: elsewhere })
  app = await testApp({
    trust: { ...trust, chooseCertificates: async () => ({ name: 'x', bytes: readFileSync(file) }) },
  })
  const { outcome, settings } = await app.call('network.addCertificates', {})
  expect(outcome).toBe('changed')
  expect(settings.certificates).toMatchObject([
    { subject: 'Lectern test' },
    { subject: 'Lectern test' },
  ])
  expect(settings.certificates[0]?.sha256).toBe(new X509Certificate(first).fingerprint256)
  expect(questions).toEqual([{ kind: 'certificates', certificates: settings.certificates }])
  // The copy is used, not the file.
  writeFileSync(file, 'gone')
  const network = createNetworkChoices(
    { settings: { get: () => settings, update: () => settings } },
    app.home,
    async () => null,
  )
  const [pem = ''] = await network.extraCa()
  expect(pem).toContain('BEGIN CERTIFICATE')
  expect(pem).not.toContain('notes')
  // A modified copy is not trusted.
  writeFileSync(join(app.home, 'certificates.pem'), selfSigned('stranger.example').cert)
  await expect(network.extraCa()).rejects.toMatchObject({ code: 'TLS_UNTRUSTED' })
  expect((await app.call('network.removeCertificates', {})).settings.certificates).toEqual([])
})

test('changes nothing if the user declines, or chooses no file', async () => {
  const { trust, questions } = user({ yes: false })
  app = await testApp({ trust })
  expect(await app.call('network.setProxy', { proxy: 'http://own.example:8080' })).toMatchObject({
    outcome: 'declined',
    settings: { proxy: 'system' },
  })
  expect(questions).toEqual([{ kind: 'proxy', proxy: 'http://own.example:8080' }])
  expect(await app.call('network.addCertificates', {})).toMatchObject({ outcome: 'declined' })
  expect((await app.call('settings.get', {})).certificates).toEqual([])
})

test('uses a proxy that the user confirmed', async () => {
  app = await testApp({ trust: user({ yes: true }).trust })
  const { settings } = await app.call('network.setProxy', { proxy: 'http://own.example:8080' })
  expect(settings.proxy).toBe('http://own.example:8080')
})

test('rejects a certificate file in the data folder, remote, too large or invalid, with its reason', async () => {
  const inside = join(folder, 'uploaded.pem')
  writeFileSync(inside, 'x')
  expect(await readCertificateFile(inside, folder)).toEqual({ problem: 'caDataFolder' })
  for (const path of ['//server/share/ca.pem', '\\\\server\\share\\ca.pem'])
    for (const platform of ['linux', 'win32'])
      expect(await readCertificateFile(path, folder, platform)).toEqual({
        problem: 'caNetworkPath',
      })
  const outside = mkdtempSync(join(tmpdir(), 'lectern-outside-'))
  try {
    const large = join(outside, 'large.pem')
    writeFileSync(large, Buffer.alloc(1024 * 1024 + 1))
    expect(await readCertificateFile(large, folder)).toEqual({ problem: 'caSize' })
    expect(await readCertificateFile(outside, folder)).toEqual({ problem: 'caSize' })
    expect(await readCertificateFile('/dev/zero', folder)).toEqual({ problem: 'caSize' })
    expect(await readCertificateFile(join(outside, 'none'), folder)).toEqual({
      problem: 'caUnreadable',
    })
    const text = join(outside, 'private-name.txt')
    writeFileSync(text, 'secret content')
    app = await testApp({ trust: user({ yes: true, file: text }).trust })
    const reply = await app.raw('network.addCertificates', {})
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'REFUSED', params: { problem: 'caContent' } },
    })
    expect(JSON.stringify(reply)).not.toMatch(/private-name|secret content/)
  } finally {
    rmSync(outside, { recursive: true, force: true })
  }
})
