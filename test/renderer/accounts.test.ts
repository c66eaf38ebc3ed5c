import { expect, test } from 'vitest'
import { presets } from '../../src/shared/service/profiles.ts'
import { keyWords } from '../../src/renderer/src/features/accounts/key-words.ts'
import {
  prefixExample,
  presetForm,
  problemsOf,
  toForm,
  toProfile,
} from '../../src/renderer/src/features/accounts/profile-form.ts'
import { keyLooksRight, useAccounts } from '../../src/renderer/src/features/accounts/store.ts'
import { proxyChoice, proxyIsGood } from '../../src/renderer/src/features/settings/proxy.ts'
import { useSettings } from '../../src/renderer/src/features/settings/store.ts'
import { serviceWords } from '../../src/renderer/src/features/shell/service-words.ts'
import { useFirstRun } from '../../src/renderer/src/features/welcome/first-run.ts'
import { failure } from './fake-data.ts'
import { bench } from './stores.ts'

test('a profile survives its form', () => {
  const profile = {
    ...presets.bigmodel,
    modelIds: { 'gen-asr-2512': 'whisper-x' },
    agentIds: { slides_gen_agent: 'slides', other: 'o' },
  }
  expect(toProfile(toForm(profile))).toEqual(profile)
})

test('what a form cannot mean is said field by field', () => {
  const form = toForm(presets.zai)
  expect(problemsOf(form)).toEqual({})
  const problems = problemsOf({
    ...form,
    baseUrl: 'http://example.org',
    modelIds: 'gen-a = b\n\nnonsense',
    prompt: '1st',
  })
  expect(problems.baseUrl?.key).toBe('accounts.urlNotHttps')
  expect(problems.modelIds?.values).toEqual({ line: 3 })
  expect(problems.prompt?.key).toBe('accounts.wireBad')
})

test('back to the preset keeps the base URL of a custom account', () => {
  expect(presetForm('custom', 'https://gateway.example.org').baseUrl).toBe(
    'https://gateway.example.org',
  )
  expect(presetForm('zai', 'https://elsewhere.example.org').baseUrl).toBe(presets.zai.baseUrl)
})

test('the prefix shows what it makes of a model id', () => {
  const form = toForm(presets.bigmodel)
  expect(prefixExample(form)).toBe('gen-asr-2512 → glm-asr-2512')
  expect(prefixExample({ ...form, modelIds: 'gen-asr-2512 = mine' })).toBe('gen-asr-2512 → mine')
})

test('where a key is kept, and why not better, is said plainly', () => {
  const key = {
    present: true,
    backend: 'keychain',
    store: 'Secret Service',
    last4: 'x7Qe',
    trouble: null,
  } as const
  const said = (status: Parameters<typeof keyWords>[0]) => keyWords(status).map((one) => one.key)
  expect(said(key)).toEqual(['accounts.keyPresent'])
  expect(said({ ...key, backend: 'session', trouble: 'locked' })).toEqual([
    'accounts.keySession',
    'accounts.whyLocked',
  ])
  expect(said({ ...key, present: false, backend: 'none', trouble: 'absent' })).toEqual([
    'accounts.keyNone',
    'accounts.whyAbsent',
    'accounts.sessionAhead',
  ])
  expect(said({ ...key, backend: 'built-in' })).toEqual(['accounts.keyBuiltIn'])
})

test('keys and proxies are judged as the bridge judges them', () => {
  expect(keyLooksRight('  abcd1234.efgh5678 ')).toBe(true)
  expect(keyLooksRight('short')).toBe(false)
  expect(keyLooksRight('with a space in it')).toBe(false)
  expect(proxyIsGood('http://127.0.0.1:3128')).toBe(true)
  expect(proxyIsGood('http://user:pass@proxy')).toBe(false)
  expect(proxyChoice('none')).toBe('none')
  expect(proxyChoice('http://p:1')).toBe('own')
})

test('offline is calm; only what needs the user asks for attention', () => {
  const connection = {
    accountId: 'a',
    accountName: 'A',
    preset: 'zai',
    waiting: 0,
    since: 0,
  } as const
  expect(serviceWords({ ...connection, state: 'offline' }).tone).toBe('calm')
  expect(serviceWords({ ...connection, state: 'no-key' }).tone).toBe('attention')
  expect(serviceWords({ ...connection, state: 'online' }).tone).toBe('good')
  expect(serviceWords(null).state).toBe('status.connecting')
})

test('a setting that main refuses is taken back', async () => {
  const app = bench({ fail: { 'settings.update': failure('READ_ONLY') } })
  const settings = app.run(useSettings)
  await settings.load()
  const kept = settings.update({ theme: 'dark' })
  expect(settings.settings?.theme).toBe('dark')
  expect(await kept).toBe(false)
  expect(settings.settings?.theme).toBe('system')
})

test('the first run with this computer makes no account and asks for nothing', async () => {
  const app = bench({ welcomed: false, empty: true })
  const settings = app.run(useSettings)
  await settings.load()
  const card = app.run(useFirstRun)
  await card.checkAndBegin('This computer')
  expect(settings.settings?.welcomed).toBe(true)
  expect(app.main.asked.map(({ route }) => route)).not.toContain('accounts.create')
})

test('a key that fails its check keeps the card open; a second try mends the same account', async () => {
  const app = bench({ welcomed: false, empty: true })
  const settings = app.run(useSettings)
  const accounts = app.run(useAccounts)
  await settings.load()
  const card = app.run(useFirstRun)
  card.preset.value = 'zai'
  card.key.value = 'wrong-key-000'
  app.main.answer('accounts.check', () => ({
    outcome: 'failed',
    ms: 90,
    error: failure('KEY_REJECTED'),
  }))
  await card.checkAndBegin('Z.AI')
  expect(settings.settings?.welcomed).toBe(false)
  expect(card.check.value).toMatchObject({ outcome: 'failed', error: { code: 'KEY_REJECTED' } })
  app.main.answer('accounts.check', () => ({ outcome: 'ok', ms: 90, model: null }))
  card.key.value = 'right-key-000'
  await card.checkAndBegin('Z.AI')
  expect(settings.settings?.welcomed).toBe(true)
  expect(accounts.accounts.filter(({ preset }) => preset === 'zai').length).toBe(1)
  expect(accounts.active?.preset).toBe('zai')
  // The key does not stay in the page.
  expect(card.key.value).toBe('')
})

test('skipping leaves no account behind that was only tried', async () => {
  const app = bench({ welcomed: false, empty: true })
  const accounts = app.run(useAccounts)
  const settings = app.run(useSettings)
  await settings.load()
  const card = app.run(useFirstRun)
  card.preset.value = 'zai'
  card.key.value = 'wrong-key-000'
  app.main.answer('accounts.check', () => ({ outcome: 'failed', ms: 1, error: failure('OFFLINE') }))
  await card.checkAndBegin('Z.AI')
  await card.skip()
  expect(settings.settings?.welcomed).toBe(true)
  expect(accounts.accounts.some(({ preset }) => preset === 'zai')).toBe(false)
})
