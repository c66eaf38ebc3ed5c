import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exitCodes } from '../../src/cli/outcome.ts'
import { operations } from '../../src/main/operations/index.ts'
import { agent, openSetup, question, run, type CliSetup } from './fixture.ts'

let setup: CliSetup
beforeAll(async () => {
  setup = await openSetup()
})
afterAll(() => setup.close())
beforeEach(() => setup.reset())

test('lists every operation in help, and the fields, limits and section of each', async () => {
  const all = await run({ args: ['--help'] })
  expect(all.code).toBe(0)
  for (const name of Object.keys(operations)) expect(all.stdout).toContain(`  ${name} `)
  const one = await run({ args: ['rerank.create', '--help'] })
  expect(one.code).toBe(0)
  for (const text of [
    '--top-n',
    '--documents',
    '4096',
    '128',
    'docs/service-notes.md, section 5',
    'required',
  ])
    expect(one.stdout).toContain(text)
}, 120_000)

test('prints an answer as one JSON object that names the account', async () => {
  const ended = await setup.call(['voices.list', '--type', 'OFFICIAL'])
  expect(ended.code).toBe(0)
  const [answer, ...rest] = ended.json()
  expect(rest).toEqual([])
  expect(answer).toMatchObject({ value: expect.any(Array), engine: expect.any(String) })
  expect(Object.keys(answer ?? {}).toSorted()).toEqual(
    ['engine', 'notice', 'requestId', 'usage', 'value'].toSorted(),
  )
}, 120_000)

test('accepts input from flags, JSON, a file and standard input, with flags applied last', async () => {
  await writeFile(join(setup.folder, 'input.json'), '{"id":"from-file"}')
  const ids = async (args: readonly string[], stdin?: string): Promise<string> => {
    await setup.fault({ path: '/v1/responses/*', times: 1, reply: { body: { id: 'x' } } })
    const ended = await setup.call(
      ['responses.retrieve', ...args],
      stdin === undefined ? {} : { stdin },
    )
    expect(ended.code).toBe(0)
    const { calls } = (await (await setup.service.call('/__faults/log')).json()) as {
      calls: { path: string }[]
    }
    return calls.at(-1)?.path ?? ''
  }
  expect(await ids(['--id', 'flag'])).toBe('/v1/responses/flag')
  expect(await ids(['--json', '{"id":"json"}'])).toBe('/v1/responses/json')
  expect(await ids(['--json', '@input.json'])).toBe('/v1/responses/from-file')
  expect(await ids(['-'], '{"id":"stdin"}')).toBe('/v1/responses/stdin')
  expect(await ids(['--json', '{"id":"json"}', '--id', 'flag'])).toBe('/v1/responses/flag')
}, 120_000)

test('prints a line for each stream event as it arrives, and the result last', async () => {
  await setup.fault(agent())
  const ended = await setup.call(['agents.chat', ...question])
  expect(ended.code).toBe(0)
  expect(ended.json()).toMatchObject([
    { type: 'answer', text: 'So' },
    { type: 'answer', text: ' it is' },
    { type: 'done', messageId: 'm1' },
    { type: 'result', value: { answer: 'So it is', complete: true } },
  ])
}, 120_000)

test('prints the raw reply with --raw', async () => {
  await setup.fault({
    path: '/paas/v4/voice/list',
    times: 1,
    reply: { body: { voice_list: [], odd: 1 } },
  })
  const ended = await setup.call(['voices.list', '--raw'])
  expect(JSON.parse(ended.stdout)).toMatchObject({ voice_list: [], odd: 1 })
}, 120_000)

test('writes a file to the given path and never overwrites another by accident', async () => {
  const up = await setup.call(['files.upload', '--file', 'sample.jsonl', '--purpose', 'batch'])
  expect(up.code, up.stderr).toBe(0)
  const [uploaded] = up.json() as [{ value: { id: string } }]
  const { id } = uploaded.value
  const got = await setup.call(['files.content', '--id', id, '--out', 'again.jsonl'])
  expect(got.code, got.stderr).toBe(0)
  expect(await readFile(join(setup.folder, 'again.jsonl'), 'utf8')).toBe('{"a":1}\n')
  await writeFile(join(setup.folder, 'content.bin'), 'mine')
  expect((await setup.call(['files.content', '--id', id])).code).toBe(exitCodes.usage)
  expect(await readFile(join(setup.folder, 'content.bin'), 'utf8')).toBe('mine')
}, 120_000)

test('uses the on-device service with its own folder by default', async () => {
  const env = { LECTERN_HOME: join(setup.folder, 'home'), LECTERN_KEY: undefined }
  const made = await run({
    args: ['files.upload', '--file', 'sample.jsonl', '--purpose', 'batch'],
    cwd: setup.folder,
    env,
  })
  expect(made.code, made.stderr).toBe(0)
  const listed = await run({ args: ['files.list', '--purpose', 'batch'], cwd: setup.folder, env })
  expect(listed.json()).toMatchObject([{ value: { files: [{ filename: 'sample.jsonl' }] } }])
}, 120_000)
