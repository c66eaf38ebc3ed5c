import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFeeds, newKey } from '../../scripts/update-feed.mjs'
import { offeredPackage, readFeed } from '../../src/main/updates/feed.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-feed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('creates signed feeds that Lectern accepts, with the right package for each system', async () => {
  const key = join(folder, 'key.pem')
  const publicKey = newKey(key)
  if (process.platform !== 'win32') expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(() => newKey(key)).toThrow('EEXIST')
  const packages = [
    'Lectern-0.2.0-x64-setup.exe',
    'Lectern-0.2.0-arm64.zip',
    'Lectern-0.2.0-x64.zip',
    'Lectern-0.2.0-x86_64.AppImage',
    'Lectern-0.2.0-arm64.AppImage',
    'Lectern-0.1.0-x86_64.AppImage',
    'Lectern-0.2.0-arm64.dmg',
    'Lectern-0.2.0-beta.1-x64-setup.exe',
    'Lectern-0.2.0-beta.1-x86_64.AppImage',
    'Old-Lectern-0.2.0-x64.zip',
  ]
  for (const name of packages) writeFileSync(join(folder, name), `bytes of ${name}`)
  const notes = join(folder, 'notes.md')
  writeFileSync(notes, '## News\n')
  const made = await makeFeeds({ version: '0.2.0', dist: folder, out: folder, key, notes })
  expect(made).toEqual([
    'latest.yml',
    'latest-mac.yml',
    'latest-linux.yml',
    'latest-linux-arm64.yml',
  ])
  const offered = async (name: string, platform: string, arch: string) => {
    const feed = readFileSync(join(folder, name))
    const signature = readFileSync(join(folder, `${name}.sig`), 'utf8')
    const read = await readFeed(name, feed, signature, [publicKey])
    expect(read.files.filter(({ url }) => /beta|Old/.test(url))).toEqual([])
    expect(read.releaseNotes).toBe('## News\n')
    expect(read.expires - read.issuedAt).toBe(180 * 24 * 60 * 60 * 1000)
    const to = { version: '0.1.0', platform, arch, systemVersion: '1.0', rollout: 0, seenIssue: 0 }
    return offeredPackage(read, to)?.url
  }
  expect(await offered('latest.yml', 'win32', 'x64')).toBe('Lectern-0.2.0-x64-setup.exe')
  expect(await offered('latest-mac.yml', 'darwin', 'arm64')).toBe('Lectern-0.2.0-arm64.zip')
  expect(await offered('latest-mac.yml', 'darwin', 'x64')).toBe('Lectern-0.2.0-x64.zip')
  expect(await offered('latest-linux.yml', 'linux', 'x64')).toBe('Lectern-0.2.0-x86_64.AppImage')
  expect(await offered('latest-linux-arm64.yml', 'linux', 'arm64')).toBe(
    'Lectern-0.2.0-arm64.AppImage',
  )
})

test('creates nothing without packages of the version', async () => {
  const key = join(folder, 'key.pem')
  newKey(key)
  const notes = join(folder, 'notes.md')
  writeFileSync(notes, '')
  const release = { version: '9.0.0', dist: folder, out: folder, key, notes }
  await expect(makeFeeds(release)).rejects.toThrow('no packages of version 9.0.0')
})

test('rejects two packages for one processor', async () => {
  const key = join(folder, 'key.pem')
  newKey(key)
  const notes = join(folder, 'notes.md')
  writeFileSync(notes, '')
  for (const arch of ['x64', 'x86_64'])
    writeFileSync(join(folder, `Lectern-0.2.0-${arch}.AppImage`), arch)
  const release = { version: '0.2.0', dist: folder, out: folder, key, notes }
  await expect(makeFeeds(release)).rejects.toThrow('same processor')
})
