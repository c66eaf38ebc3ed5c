import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { at } from '../../scripts/lib/paths.mjs'
import { readTarball } from '../../scripts/lib/tarball.mjs'
import { checkModels, ensureModels, models, modelsFolder } from '../../scripts/models.mjs'

vi.setConfig({ testTimeout: 120_000 })

const home = mkdtempSync(join(tmpdir(), 'lectern-models-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const folderOf = (name) => join(home, name)

/** Creates one file of a tar archive: header, content, padding. */
function entry(name, content, type = '0') {
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100), 0)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const archive = (...entries) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

test('extracts the wanted files of an archive, including long names', () => {
  const long = `package/${'deep/'.repeat(30)}file.txt`
  const record = (body) => {
    let length = body.length + 3
    while (`${length} ${body}\n`.length !== length) length++
    return Buffer.from(`${length} ${body}\n`)
  }
  const bytes = archive(
    entry('package/a.txt', Buffer.from('one')),
    entry('PaxHeader/x', record(`path=${long}`), 'x'),
    entry(long, Buffer.from('two')),
    entry('package/b.txt', Buffer.alloc(513, 0x62)),
  )
  const files = readTarball(bytes, (name) => name !== 'package/a.txt')
  expect([...files.keys()]).toEqual([long, 'package/b.txt'])
  expect(files.get(long).toString()).toBe('two')
  expect(files.get('package/b.txt')).toHaveLength(513)
  expect(() =>
    readTarball(gzipSync(entry('a', Buffer.alloc(600)).subarray(0, 700)), () => true),
  ).toThrow('damaged')
})

test('leaves installed models alone, without reading them and without network', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9')
  const said = []
  const log = (text) => said.push(text)
  await ensureModels({ log })
  // Reading the 74 MB, as a check does, would show that these are others of the same size.
  const folder = folderOf('unread')
  cpSync(modelsFolder(), folder, { recursive: true })
  const licence = join(folder, 'moonshine-tiny', 'LICENSE')
  writeFileSync(licence, 'x'.repeat(statSync(licence).size))
  await ensureModels({ log, folder })
  expect(said).toEqual([])
  expect(await checkModels(folder)).toHaveLength(1)
})

test('reads every byte in a check and names a missing, truncated or changed file', async () => {
  const folder = folderOf('damaged')
  cpSync(modelsFolder(), folder, { recursive: true })
  expect(await checkModels(folder)).toEqual([])
  const inside = join(folder, 'moonshine-tiny')
  truncateSync(join(inside, 'encoder_model.onnx'), 1000)
  rmSync(join(inside, 'decoder_model_merged.onnx'))
  writeFileSync(join(inside, 'LICENSE'), 'x'.repeat(13_358))
  writeFileSync(join(inside, 'models.json'), '{}')
  const problems = await checkModels(folder)
  expect(problems).toHaveLength(4)
  expect(problems.join('\n')).toMatch(
    /encoder_model.onnx has the wrong size[^]*decoder_model_merged.onnx is missing[^]*LICENSE has the wrong size[^]*models.json does not/,
  )
})

test('uses another folder from LECTERN_MODELS', () => {
  vi.stubEnv('LECTERN_MODELS', folderOf('elsewhere'))
  expect(modelsFolder()).toBe(folderOf('elsewhere'))
})

test('has a license for every model and a checksum for every file', () => {
  for (const model of models) {
    expect(model.licence).not.toBe('')
    // The text of Apache-2.0 is distributed with the sentence encoder, for all models under it.
    const text = model.licence.includes('Apache-2.0') ? 'use-en' : model.id
    const brings = models.find(({ id }) => id === text)?.files.map((file) => file.name)
    if (model.licenceFile) expect(existsSync(at(model.licenceFile))).toBe(true)
    else expect(brings).toContain('LICENSE')
    for (const file of model.files) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/)
  }
})

test('explains an unreachable registry in plain words, with a solution', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9')
  vi.stubEnv('npm_config_fetch_retries', '0')
  vi.stubEnv('npm_config_cache', folderOf('cache-1'))
  const work = ensureModels({ log: () => undefined, folder: folderOf('unreachable') })
  await expect(work).rejects.toThrow(
    /@moonshine[^]*could not be downloaded[^]*npm run setup[^]*LECTERN_MODELS/,
  )
  expect(readdirSync(folderOf('unreachable'))).toEqual([])
})

test('rejects a file other than the pinned one and installs nothing', async () => {
  const tarball = archive(
    entry(
      'package/package.json',
      Buffer.from('{"name":"@moonshine-ai/moonshine-js","version":"0.1.29"}'),
    ),
    ...models[0].files.map((file) => entry(file.from, Buffer.from('not the model'))),
  )
  const registry = createServer((request, response) => {
    if (request.url.endsWith('.tgz')) return response.end(tarball)
    const dist = {
      tarball: `http://127.0.0.1:${registry.address().port}/changed.tgz`,
      shasum: createHash('sha1').update(tarball).digest('hex'),
    }
    const version = { name: '@moonshine-ai/moonshine-js', version: '0.1.29', dist }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ name: version.name, 'dist-tags': {}, versions: { '0.1.29': version } }),
    )
  })
  await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${registry.address().port}`)
  vi.stubEnv('npm_config_cache', folderOf('cache-2'))
  try {
    const work = ensureModels({ log: () => undefined, folder: folderOf('changed') })
    await expect(work).rejects.toThrow(/is not the pinned file; nothing was installed/)
    expect(existsSync(join(folderOf('changed'), 'moonshine-tiny'))).toBe(false)
    expect(readdirSync(folderOf('changed'))).toEqual([])
  } finally {
    registry.close()
  }
})

beforeAll(async () => {
  const problems = await checkModels()
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nRun \`npm run setup\` once.`)
})
