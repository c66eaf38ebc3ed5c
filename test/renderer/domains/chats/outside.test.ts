import { describe, expect, test } from 'vitest'
import type { ChatMessage, TokenUse } from '../../../../src/shared/model/chat.ts'
import {
  readPreferences,
  writePreferences,
} from '../../../../src/renderer/src/domains/chats/export/chat-export-preferences.ts'
import { openQuick } from '../../../../src/renderer/src/domains/chats/quick/open-quick.ts'
import { readBranch } from '../../../../src/renderer/src/domains/chats/usage/read-branch.ts'
import { usageSums } from '../../../../src/renderer/src/domains/chats/usage/sums.ts'

const use = (reported: Partial<TokenUse>): TokenUse => ({
  prompt: null,
  completion: null,
  total: null,
  reasoning: null,
  cached: null,
  ...reported,
})
const message = (
  id: string,
  role: ChatMessage['role'],
  usage: TokenUse | null = null,
): ChatMessage => ({ id, role, usage }) as ChatMessage

describe('token usage', () => {
  test('sums reported counts, and leaves others unknown instead of zero', () => {
    const sums = usageSums([
      message('q', 'user'),
      message('a', 'assistant', use({ prompt: 10, completion: 5, total: 15 })),
      message('b', 'assistant', use({ prompt: 1, reasoning: 0 })),
      message('c', 'assistant'),
      message('d', 'assistant', use({})),
    ])
    expect(sums).toEqual({
      answers: 4,
      silent: 2,
      kinds: {
        prompt: { tokens: 11, unknown: 2 },
        completion: { tokens: 5, unknown: 3 },
        reasoning: { tokens: 0, unknown: 3 },
        cached: { tokens: null, unknown: 4 },
        total: { tokens: 15, unknown: 3 },
      },
    })
  })

  test('reads the whole branch in steps, until the user leaves', async () => {
    const all = Array.from({ length: 450 }, (_, at) => message(`m${at}`, 'user'))
    const routes: string[] = []
    const client = {
      async request(route: string, payload: { messageId?: string; limit: number }) {
        routes.push(route)
        const end = all.findIndex(({ id }) => id === payload.messageId)
        const to = end < 0 ? all.length : end
        const from = Math.max(0, to - payload.limit)
        return {
          ok: true,
          data: { messages: all.slice(from, to), before: from, after: all.length - to },
        }
      },
    } as unknown as Parameters<typeof readBranch>[0]
    let read: readonly ChatMessage[] = []
    expect(await readBranch(client, 'c', (so) => ((read = so), true))).toBeNull()
    expect(read.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(routes).toEqual(['chats.window', 'chats.more', 'chats.more'])
    routes.length = 0
    await readBranch(client, 'c', () => false)
    expect(routes).toEqual(['chats.window'])
  })
})

test('remembers export settings, and resets broken ones', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  expect(readPreferences(store)).toEqual({ format: 'md', steps: true })
  writePreferences(store, { format: 'json', steps: false })
  expect(readPreferences(store)).toEqual({ format: 'json', steps: false })
  for (const broken of ['{', 'null', '{"format":"exe","steps":"yes"}']) {
    stored.set('lectern-chat-export', broken)
    expect(readPreferences(store)).toEqual({ format: 'md', steps: true })
  }
})

test('requests the quick window from a host that has windows', async () => {
  const routes: string[] = []
  const client = {
    request: async (route: string) => {
      routes.push(route)
      return { ok: true, data: {} }
    },
  } as unknown as Parameters<typeof openQuick>[0]
  await openQuick(client, { push: async () => undefined }, 'electron')
  expect(routes).toEqual(['quick.show'])
})
