import { expect, test } from 'vitest'
import { presets } from '../../../../src/shared/provider/profiles.ts'
import {
  keyPromise,
  keyMessages,
} from '../../../../src/renderer/src/domains/settings/accounts/key-messages.ts'
import {
  defaultName,
  prefixExample,
  presetForm,
  problemsOf,
  toForm,
  toProfile,
} from '../../../../src/renderer/src/domains/settings/accounts/profile-form.ts'
import {
  isPlausibleKey,
  useAccounts,
} from '../../../../src/renderer/src/domains/settings/accounts/accounts-store.ts'
import { phraseTyped } from '../../../../src/renderer/src/shell/settings/erase-phrase.ts'
import { proxyChoice, proxyIsGood } from '../../../../src/renderer/src/shell/settings/proxy.ts'
import { useSettings } from '../../../../src/renderer/src/lib/settings-store.ts'
import { providerLabels } from '../../../../src/renderer/src/shell/provider-labels.ts'
import { useFirstRun } from '../../../../src/renderer/src/shell/welcome/first-run.ts'
import { profileSchema } from '../../../../src/shared/contract/accounts.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

test('preserves a profile through its form', () => {
  const profile = {
    ...presets.bigmodel,
    modelIds: { 'gen-asr-2512': 'whisper-x' },
    agentIds: { slides_gen_agent: 'slides', other: 'o' },
    wire: { ...presets.bigmodel.wire, agentSession: 'X-Other' },
    limits: { 'rerank.documents': 256, 'layout.pages': 30 },
  }
  expect(toProfile(toForm(profile))).toEqual(profile)
})

test('rejects session headers that HTTP itself uses, in the form and on the bridge', () => {
  const own =
    'Host Connection Cookie Authorization Proxy-Authorization Content-Length Content-Type Transfer-Encoding TE Upgrade Expect Accept-Language'
  const form = toForm(presets.zai)
  const withHeader = (agentSession: string) => ({ ...presets.zai.wire, agentSession })
  for (const name of [...own.split(' '), 'hOST', '_x', 'a b', 'a.b', 'a[]', '']) {
    expect(problemsOf({ ...form, wire: `agentSession = ${name}` }).wire?.key).toBe(
      'accounts.wireBad',
    )
    const profile = { ...presets.zai, wire: withHeader(name) }
    expect(profileSchema.safeParse(profile).success, name).toBe(false)
  }
  for (const name of ['X-Session-Id', 'sessionId', 'Session-2']) {
    expect(problemsOf({ ...form, wire: `agentSession = ${name}` }).wire).toBeUndefined()
    expect(profileSchema.safeParse({ ...presets.zai, wire: withHeader(name) }).success).toBe(true)
  }
})

test('reports invalid form values by field', () => {
  const form = toForm(presets.zai)
  expect(problemsOf(form)).toEqual({})
  const problems = problemsOf({
    ...form,
    baseUrl: 'http://example.org',
    modelIds: 'gen-a = b\n\nnonsense',
    wire: 'transcriptionPrompt = 1st',
    limits: 'rerank.documents = many',
  })
  expect(problems.baseUrl?.key).toBe('accounts.urlNotHttps')
  expect(problems.modelIds?.values).toEqual({ line: 3 })
  expect(problems.wire?.values).toEqual({ line: 'transcriptionPrompt = 1st' })
  expect(problems.limits?.values).toEqual({ line: 'rerank.documents = many' })
  expect(problemsOf({ ...form, wire: 'nobody = prompt' }).wire?.key).toBe('accounts.wireBad')
  expect(toProfile({ ...form, wire: '' }).wire).toEqual(presets.zai.wire)
})

test('keeps the base URL of a custom account when resetting to the preset', () => {
  expect(presetForm('custom', 'https://gateway.example.org').baseUrl).toBe(
    'https://gateway.example.org',
  )
  expect(presetForm('zai', 'https://elsewhere.example.org').baseUrl).toBe(presets.zai.baseUrl)
})

test('shows the effect of the prefix on a model ID', () => {
  const form = toForm(presets.bigmodel)
  expect(prefixExample(form)).toBe('gen-asr-2512 → glm-asr-2512')
  expect(prefixExample({ ...form, modelIds: 'gen-asr-2512 = mine' })).toBe('gen-asr-2512 → mine')
})

test('explains where an API key is stored, and why not more securely', () => {
  const key = {
    present: true,
    backend: 'keychain',
    store: 'Secret Service',
    last4: 'x7Qe',
    trouble: null,
  } as const
  const messageKeys = (status: Parameters<typeof keyMessages>[0]) =>
    keyMessages(status).map((one) => one.key)
  expect(messageKeys(key)).toEqual(['accounts.keyPresent'])
  expect(messageKeys({ ...key, last4: null })).toEqual(['accounts.keyPresentShort'])
  expect(messageKeys({ ...key, backend: 'session', trouble: 'locked' })).toEqual([
    'accounts.keySession',
    'accounts.whyLocked',
  ])
  expect(messageKeys({ ...key, present: false, backend: 'none', trouble: 'absent' })).toEqual([
    'accounts.keyNone',
    'accounts.whyAbsent',
    'accounts.sessionAhead',
  ])
  expect(messageKeys({ ...key, backend: 'built-in' })).toEqual(['accounts.keyBuiltIn'])
})

test('promises nothing about an API key that the accounts did not report', () => {
  const fresh = {
    present: false,
    backend: 'none',
    store: 'Secret Service',
    last4: null,
    trouble: null,
  } as const
  const promiseKeys = (known: Parameters<typeof keyPromise>[0]) =>
    keyPromise(known).map((one) => one.key)
  expect(promiseKeys([{ ...fresh, backend: 'built-in' }])).toEqual(['welcome.keyEither'])
  expect(promiseKeys([fresh])).toEqual(['welcome.keyWhere'])
  expect(promiseKeys([{ ...fresh, trouble: 'absent' }])).toEqual([
    'accounts.whyAbsent',
    'accounts.sessionAhead',
  ])
  // An API key that had to stay in memory predicts the same for the next one.
  expect(promiseKeys([{ ...fresh, present: true, backend: 'session', trouble: 'failed' }])).toEqual(
    ['accounts.whyFailed', 'accounts.sessionAhead'],
  )
})

test('uses a new account only once its connection check passes', async () => {
  const { main, run } = rendererSetup()
  const accounts = run(useAccounts)
  await accounts.load()
  const before = accounts.active?.id
  const made = await accounts.create({
    preset: 'custom',
    name: 'Mine',
    baseUrl: 'https://a.example',
  })
  const id = made.ok ? made.data.id : ''
  main.answer('accounts.check', () => ({
    outcome: 'failed',
    ms: 1,
    error: failure('KEY_REJECTED'),
  }))
  const refused = await accounts.connect(id, 'wrong-key-0123456789')
  expect(refused).toMatchObject({ ok: true, data: { outcome: 'failed' } })
  expect(accounts.active?.id).toBe(before)
  main.answer('accounts.check', () => ({ outcome: 'ok', ms: 1, model: null }))
  await accounts.connect(id, 'right-key-0123456789')
  expect(accounts.active?.id).toBe(id)
})

test('uses no new account whose creation was canceled', async () => {
  const { main, run } = rendererSetup()
  const accounts = run(useAccounts)
  await accounts.load()
  const before = accounts.active?.id
  const made = await accounts.create({
    preset: 'custom',
    name: 'Mine',
    baseUrl: 'https://a.example',
  })
  const id = made.ok ? made.data.id : ''
  const connect = async (during: 'accounts.setKey' | 'accounts.check') => {
    const canceling = new AbortController()
    const routes = main.requests.length
    main.answer('accounts.check', () => ({ outcome: 'ok', ms: 1, model: null }))
    main.answer(during, () => {
      canceling.abort()
      return during === 'accounts.setKey' ? {} : { outcome: 'ok', ms: 1, model: null }
    })
    const reply = await accounts.connect(id, 'right-key-0123456789', canceling.signal)
    expect(reply).toEqual({ ok: true, data: null })
    return main.requests.slice(routes).map(({ route }) => route)
  }
  expect(await connect('accounts.check')).toContain('streams.cancel')
  expect(await connect('accounts.setKey')).not.toContain('accounts.check')
  expect(accounts.active?.id).toBe(before)
})

test('names an account of another host after it', () => {
  expect(defaultName('custom', ' https://Gateway.example.org:8443/v1/ ', 'Custom')).toBe(
    'gateway.example.org:8443',
  )
  expect(defaultName('custom', 'gateway', 'Custom')).toBe('Custom')
  expect(defaultName('zai', 'https://gateway.example.org', 'Z.AI')).toBe('Z.AI')
})

test('validates API keys and proxies like the bridge', () => {
  expect(isPlausibleKey('  abcd1234.efgh5678 ')).toBe(true)
  expect(isPlausibleKey('short')).toBe(false)
  expect(isPlausibleKey('with a space in it')).toBe(false)
  expect(proxyIsGood('http://127.0.0.1:3128')).toBe(true)
  expect(proxyIsGood('http://user:pass@proxy')).toBe(false)
  expect(proxyChoice('none')).toBe('none')
  expect(proxyChoice('http://p:1')).toBe('own')
})

test('shows offline without alarm, and asks for attention only if the user must act', () => {
  const connection = {
    accountId: 'a',
    accountName: 'A',
    preset: 'zai',
    waiting: 0,
    since: 0,
  } as const
  expect(providerLabels({ ...connection, state: 'offline' }).tone).toBe('calm')
  expect(providerLabels({ ...connection, state: 'no-key' }).tone).toBe('attention')
  expect(providerLabels({ ...connection, state: 'online' }).tone).toBe('good')
  expect(providerLabels(null).state).toBe('status.connecting')
})

test('reverts a setting that main rejects', async () => {
  const app = rendererSetup({ fail: { 'settings.update': failure('READ_ONLY') } })
  const settings = app.run(useSettings)
  await settings.load()
  const saved = settings.update({ theme: 'dark' })
  expect(settings.settings?.theme).toBe('dark')
  expect(await saved).toBe(false)
  expect(settings.settings?.theme).toBe('system')
})

test('creates no account and asks for nothing on the first run with this computer', async () => {
  const app = rendererSetup({ welcomed: false, empty: true })
  const settings = app.run(useSettings)
  await settings.load()
  const card = app.run(useFirstRun)
  await card.checkAndBegin('This computer')
  expect(settings.settings?.welcomed).toBe(true)
  expect(app.main.requests.map(({ route }) => route)).not.toContain('accounts.create')
})

test('keeps the card open if the API key check fails, and updates the same account on retry', async () => {
  const app = rendererSetup({ welcomed: false, empty: true })
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
  // The API key does not stay in the page.
  expect(card.key.value).toBe('')
})

test('leaves no account behind that was only tried, when skipping', async () => {
  const app = rendererSetup({ welcomed: false, empty: true })
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

test('clears the result of a check as soon as its input is changed', async () => {
  const app = rendererSetup({ welcomed: false, empty: true })
  await app.run(useSettings).load()
  const card = app.run(useFirstRun)
  app.main.answer('accounts.check', () => ({ outcome: 'failed', ms: 1, error: failure('OFFLINE') }))
  const changes = [
    () => (card.key.value = 'other-key-000'),
    () => (card.baseUrl.value = 'https://other.example.org'),
    () => (card.preset.value = 'zai'),
  ]
  for (const change of changes) {
    card.preset.value = 'custom'
    card.baseUrl.value = 'https://gateway.example.org'
    card.key.value = 'wrong-key-000'
    await card.checkAndBegin('gateway.example.org')
    expect(card.check.value?.outcome).toBe('failed')
    change()
    expect(card.check.value).toBeNull()
  }
})

test('imports files received before the choice only after it', async () => {
  const sent: string[] = []
  const app = rendererSetup({ welcomed: false, empty: true }, (file) => {
    sent.push(file.name)
    return new Promise(() => {})
  })
  await app.run(useSettings).load()
  const card = app.run(useFirstRun)
  card.hold([new File(['a'], 'standup.wav')])
  card.hold([new File(['b'], 'call.mp3')])
  expect(card.held.value.length).toBe(2)
  await app.settle()
  expect(sent).toEqual([])
  await card.skip()
  await app.settle()
  expect(sent).toEqual(['standup.wav', 'call.mp3'])
  expect(card.held.value).toEqual([])
})

test('reports a choice that cannot be saved, and keeps the files waiting', async () => {
  const app = rendererSetup({ welcomed: false, fail: { 'settings.update': failure('READ_ONLY') } })
  await app.run(useSettings).load()
  const card = app.run(useFirstRun)
  card.hold([new File(['a'], 'standup.wav')])
  await card.skip()
  expect(card.failure.value?.code).toBe('READ_ONLY')
  expect(card.held.value.length).toBe(1)
})

test('accepts the erase phrase in the user’s language, typed with any keyboard', () => {
  expect(phraseTyped('  Erase   Everything ', 'erase everything')).toBe(true)
  expect(phraseTyped('清除所有内容', '清除所有内容')).toBe(true)
  expect(phraseTyped('erase', 'erase everything')).toBe(false)
  expect(phraseTyped('', 'erase everything')).toBe(false)
})
