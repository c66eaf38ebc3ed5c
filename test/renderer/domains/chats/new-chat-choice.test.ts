import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useNewChatChoice } from '../../../../src/renderer/src/domains/chats/views/use-new-chat-choice.ts'
import { useShell } from '../../../../src/renderer/src/lib/app-store.ts'
import {
  defaultAssistantId,
  predefinedAssistants,
} from '../../../../src/shared/provider/assistants.ts'
import { rendererSetup } from '../../stores.ts'

const other = predefinedAssistants[1]?.id ?? ''
let stored = new Map<string, string>()

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** Opens a new chat of an account that has these knowledge bases. */
async function open(accountId: string, bases: readonly string[]) {
  const app = rendererSetup({ connection: { accountId } })
  app.main.answer('documents.bases', () => ({
    accountId,
    accountName: accountId,
    bases: bases.map((id) => ({ id, name: id, documents: 1 })),
    at: 1000,
    failure: null,
  }))
  await app.run(useShell).load()
  const choice = app.run(useNewChatChoice)
  await app.settle()
  return choice
}

test('starts from the assistant used last, with each account', async () => {
  const first = await open('acc-1', [])
  expect(first.settings.value).toMatchObject({ assistantId: defaultAssistantId })
  first.chooseAssistant(other)
  first.remember()
  expect((await open('acc-1', [])).settings.value).toMatchObject({ assistantId: other })
  expect((await open('acc-2', [])).settings.value).toMatchObject({
    assistantId: defaultAssistantId,
  })
})

test('starts from the knowledge bases used last that the account still has', async () => {
  const first = await open('acc-1', ['b-1', 'b-2'])
  first.chooseBases(['b-1', 'b-2'])
  first.remember()
  const next = await open('acc-1', ['b-2', 'b-3'])
  expect(next.settings.value).toMatchObject({ kind: 'agent', knowledgeIds: ['b-2'] })
  const last = await open('acc-1', [])
  expect(last.settings.value).toMatchObject({ kind: 'assistant', assistantId: defaultAssistantId })
})

test('asks an assistant again once one was chosen instead of knowledge bases', async () => {
  const first = await open('acc-1', ['b-1'])
  first.chooseBases(['b-1'])
  first.remember()
  first.chooseAssistant(other)
  first.remember()
  expect((await open('acc-1', ['b-1'])).settings.value).toMatchObject({
    kind: 'assistant',
    assistantId: other,
  })
})
