import { expect, test } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import { useBases } from '../../../../src/renderer/src/domains/knowledge/base-choice/base-choice-store.ts'
import { readNumber } from '../../../../src/renderer/src/kit/number-text.ts'
import {
  isDefault,
  plainAgent,
  plainAssistant,
  withDefaultSettings,
} from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'
import {
  readPreferences,
  writePreferences,
} from '../../../../src/renderer/src/domains/chats/settings/chat-settings-preferences.ts'
import { useConfigure } from '../../../../src/renderer/src/domains/chats/settings/use-configure.ts'
import { chats } from '../../../../src/shared/contract/chats.ts'
import type { AgentSettings, ChatSettings } from '../../../../src/shared/model/chat.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'
import { conversation } from './conversation.ts'

const agent: AgentSettings = {
  ...plainAgent,
  knowledgeIds: ['b-1', 'b-2'],
  topK: 4,
  similarityThreshold: -0.5,
  temperature: 0,
  thinking: true,
}

test('parses numbers with a point or comma, treats empty input as none, rejects the rest', () => {
  const any = { min: 0, max: 2, whole: false }
  expect(['', ' ', '0.7', '0,7', ' 2 ', '.5'].map((typed) => readNumber(typed, any))).toEqual([
    null,
    null,
    0.7,
    0.7,
    2,
    0.5,
  ])
  for (const typed of ['2.1', '-1', 'a', '1e0', '1,2,3', '0x1', '--1'])
    expect([typed, readNumber(typed, any)]).toEqual([typed, undefined])
  expect(readNumber('1.5', { min: 1, max: 9, whole: true })).toBe(undefined)
})

test('leaves everything but agent, assistant and knowledge bases to the provider by default', () => {
  expect(withDefaultSettings(agent)).toEqual({ ...plainAgent, knowledgeIds: ['b-1', 'b-2'] })
  expect([isDefault(agent), isDefault(withDefaultSettings(agent))]).toEqual([false, true])
  const assistant = { ...plainAssistant, assistantId: 'x', doSample: false }
  expect(withDefaultSettings(assistant)).toEqual({ ...plainAssistant, assistantId: 'x' })
  expect([isDefault(assistant), isDefault({ ...assistant, doSample: null })]).toEqual([false, true])
})

function storage(first: string | null = null) {
  let stored = first
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) }
}

test('saves the settings of new chats, in the format of the bridge', () => {
  const store = storage()
  const first = readPreferences(store)
  expect([first.enterSends, first.agent, first.assistant.model]).toEqual([true, plainAgent, null])
  const translate = { from: 'zh', to: 'en' }
  writePreferences(store, {
    enterSends: false,
    agent,
    assistant: { model: 'gen-4-alltools', doSample: true, translate },
    lastChoices: { 'acc-1': { assistantId: 'x', knowledgeIds: ['b-1'] } },
  })
  const again = readPreferences(store)
  expect([again.enterSends, again.agent]).toEqual([false, agent])
  expect(again.assistant).toEqual({ model: 'gen-4-alltools', doSample: true, translate })
  expect(again.lastChoices).toEqual({ 'acc-1': { assistantId: 'x', knowledgeIds: ['b-1'] } })
  for (const settings of [
    again.agent,
    { kind: 'assistant', assistantId: 'x', ...again.assistant },
  ] as ChatSettings[])
    expect(chats.create.request.safeParse({ settings }).success).toBe(true)
})

test.each([
  '{',
  'null',
  '[]',
  '{"agent":{"knowledgeIds":[1,"",{}],"topK":"8","temperature":9,"maxSteps":1.5,"model":""}}',
  '{"agent":[],"assistant":{"translate":{"from":"zh"},"doSample":"yes"},"lastChoices":7}',
])('resets broken settings to the defaults: %s', (stored) => {
  const read = readPreferences(storage(stored))
  expect([read.agent, read.assistant]).toEqual([
    plainAgent,
    { model: null, doSample: null, translate: null },
  ])
})

test('lists knowledge bases per account, once at a time, and keeps them while reloading', async () => {
  const { main, run, settle } = rendererSetup()
  const bases = [{ id: 'b-1', name: 'Coast', documents: 3 }]
  let works = true
  main.answer('documents.bases', ({ accountId }: { accountId: string }) => ({
    accountId,
    accountName: accountId,
    bases,
    at: 1000,
    failure: works ? null : failure('OFFLINE'),
  }))
  const store = run(useBases)
  await Promise.all([store.refresh('a'), store.refresh('a')])
  const again = store.refresh('b')
  expect(store.of('a').known).toMatchObject({ bases, failure: null })
  await again
  expect(main.requests.filter(({ route }) => route === 'documents.bases')).toHaveLength(2)
  works = false
  await store.refresh('a')
  await settle()
  expect(store.of('a').known).toMatchObject({ bases, failure: { code: 'OFFLINE' } })
  expect(store.of('c')).toEqual({ loading: false, known: null, failure: null })
})

function panel(scenario: Parameters<typeof rendererSetup>[0] = {}) {
  const { main, run } = rendererSetup(scenario)
  const current = shallowRef(conversation())
  main.answer('chats.configure', (change: { settings: ChatSettings; accountId: string }) => {
    current.value = { ...current.value, settings: change.settings, accountId: change.accountId }
    return current.value
  })
  return { main, current, ...run(() => useConfigure(() => current.value)) }
}

test('shows a setting at once and saves it, together with a following one', async () => {
  const { main, current, shown, configure } = panel()
  const first = configure({ settings: agent })
  expect(shown.value.settings).toEqual(agent)
  await Promise.all([first, configure({ accountId: 'acc-2' })])
  expect(main.requests.map(({ payload }) => payload)).toEqual([
    { id: 'c-1', settings: agent, accountId: 'this-computer' },
    { id: 'c-1', settings: agent, accountId: 'acc-2' },
  ])
  expect(current.value).toMatchObject({ settings: agent, accountId: 'acc-2' })
  expect(shown.value).toEqual({ settings: agent, accountId: 'acc-2' })
})

test('reverts a rejected setting, with the reason', async () => {
  const {
    current,
    shown,
    failure: why,
    configure,
  } = panel({
    fail: { 'chats.configure': failure('READ_ONLY') },
  })
  await configure({ settings: agent })
  expect(shown.value.settings).toEqual(current.value.settings)
  expect(why.value?.code).toBe('READ_ONLY')
  current.value = conversation({ id: 'c-2' })
  await nextTick()
  expect(why.value).toBe(null)
})

test('shows settings changed elsewhere', async () => {
  const { current, shown, configure } = panel()
  await configure({ settings: agent })
  current.value = { ...current.value, settings: { ...agent, topK: 9 } }
  await nextTick()
  expect(shown.value.settings).toEqual({ ...agent, topK: 9 })
})
