import type { ChatSettings } from '../src/shared/model/chat.ts'
import type { BridgeClient } from '../test/fixtures/bridge-client.ts'

/** Settings of chats with a server of a benchmark. */
export const chatSettings: Readonly<Record<'agent' | 'assistant', ChatSettings>> = {
  agent: {
    kind: 'agent',
    knowledgeIds: ['k1'],
    topK: null,
    topN: null,
    rerank: false,
    similarityThreshold: null,
    model: null,
    temperature: null,
    maxSteps: null,
    thinking: false,
  },
  assistant: {
    kind: 'assistant',
    assistantId: '65940acff94777010aa6b796',
    model: null,
    doSample: null,
    translate: null,
  },
}

/** Creates an account for the server of a benchmark, and activates it. */
export async function activateAccount(page: BridgeClient, baseUrl: string): Promise<void> {
  const { id } = await page.call('accounts.create', { preset: 'custom', name: 'Bench', baseUrl })
  await page.call('accounts.setKey', { id, key: 'bench-key-0123456789' })
  await page.call('accounts.activate', { id })
}

/** Resolves when a stream has ended. */
export const streamEnd = (page: BridgeClient, streamId: string): Promise<void> =>
  new Promise((resolve) => {
    page.onEvent(({ channel, event }) => {
      page.events.length = 0
      if (channel !== 'stream' || event.streamId !== streamId) return
      if (event.type === 'end' || event.type === 'error') resolve()
    })
  })
