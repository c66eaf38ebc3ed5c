import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exitCodes } from '../../src/cli/outcome.ts'
import { agent, openSetup, question, run, type CliSetup } from './fixture.ts'

let setup: CliSetup
beforeAll(async () => {
  setup = await openSetup()
})
afterAll(() => setup.close())
beforeEach(() => setup.reset())

test('exits with 2 for invalid input', async () => {
  const wrong = [
    ['no.such'],
    ['voices.list', '--nonsense', '1'],
    ['rerank.create', '--query', 'x'],
    ['rerank.create', '--json', '[1]'],
    ['rerank.create', '--query', 'x', '--documents', 'y', '--top-n', 'many'],
    ['files.upload', '--file', 'nowhere.wav', '--purpose', 'voice-clone-input'],
    ['voices.list', '--out', 'x.json'],
  ]
  const all = await Promise.all(
    wrong.map(async (args) => ({ args, ended: await setup.call(args) })),
  )
  for (const { args, ended } of all) {
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(exitCodes.usage)
    expect(ended.error()).toMatchObject({ code: expect.any(String), todo: expect.any(String) })
    expect(ended.stdout).toBe('')
  }
}, 120_000)

test('exits with 3 when over a limit, before sending anything', async () => {
  const ended = await setup.call(['rerank.create', '--query', 'x'.repeat(4097), '--documents', 'y'])
  expect(ended.code).toBe(exitCodes.limit)
  expect(ended.error()).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { limit: 4096, value: 4097 },
  })
}, 120_000)

test('exits with 4 when the provider rejects the request', async () => {
  const ended = await setup.call(['responses.retrieve', '--id', 'nowhere'])
  expect(ended.code).toBe(exitCodes.refused)
  expect(ended.error()).toMatchObject({ service: { status: expect.any(Number) } })
}, 120_000)

test('exits with 5 for network errors', async () => {
  await setup.fault({ ...agent(), cutAfterBytes: 60 })
  const cut = await setup.call(['agents.chat', ...question])
  expect(cut.code).toBe(exitCodes.network)
  expect(cut.error()).toMatchObject({ code: 'STREAM_CUT' })
  const unreachable = await run({
    args: ['voices.list', '--preset', 'custom', '--base-url', 'http://127.0.0.1:9'],
    env: { LECTERN_KEY: 'a-key-0123456789' },
  })
  expect(unreachable.code).toBe(exitCodes.network)
  expect(unreachable.error()).toMatchObject({ code: 'OFFLINE' })
}, 120_000)

test('exits with 6 for a wrong or missing key, which is never printed', async () => {
  const key = 'wrong-key-0123456789abcdef'
  await setup.fault({
    path: '/paas/v4/voice/list',
    times: 1,
    reply: { status: 401, body: { error: { code: '1000', message: `no such key ${key}` } } },
  })
  const wrong = await setup.call(['voices.list'], { env: { LECTERN_KEY: key } })
  expect(wrong.code).toBe(exitCodes.key)
  expect(wrong.stdout + wrong.stderr).not.toContain(key)
  const none = await setup.call(['voices.list'], { env: { LECTERN_KEY: undefined } })
  expect(none.code).toBe(exitCodes.key)
  expect(none.error()).toMatchObject({ code: 'NO_KEY' })
}, 120_000)

test('accepts the key on standard input, but never as an argument', async () => {
  const piped = await setup.call(['voices.list'], {
    env: { LECTERN_KEY: undefined },
    stdin: `${setup.service.key}\n`,
  })
  expect(piped.code, piped.stderr).toBe(0)
  const argument = await setup.call(['voices.list', `--key=${setup.service.key}`])
  expect(argument.code).toBe(exitCodes.usage)
  expect(argument.error()['message']).toContain('LECTERN_KEY')
  const misspelled = await setup.call(['voices.list', setup.service.key])
  expect(misspelled.code).toBe(exitCodes.usage)
}, 120_000)

test('removes the key from a printed answer that repeats it', async () => {
  await setup.fault({
    path: '/paas/v4/voice/list',
    times: 2,
    reply: { body: { voice_list: [{ voice: setup.service.key }] } },
  })
  expect((await setup.call(['voices.list'])).stdout).toContain('[redacted]')
  expect((await setup.call(['voices.list', '--raw'])).stdout).toContain('[redacted]')
}, 120_000)

test('exits with 130 on Ctrl-C and keeps the lines received so far', async () => {
  await setup.fault(agent({ delayMs: 20_000 }))
  const ended = await setup.call(['agents.chat', ...question], { interruptAt: '"So"' })
  expect(ended.code).toBe(exitCodes.cancelled)
  expect(ended.json()).toMatchObject([{ type: 'answer', text: 'So' }])
  expect(ended.error()).toMatchObject({ code: 'CANCELLED' })
}, 120_000)
