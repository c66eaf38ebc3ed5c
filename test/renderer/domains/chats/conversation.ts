import type { Conversation } from '../../../../src/shared/model/chat.ts'
import { plainAgent } from '../../../../src/renderer/src/domains/knowledge/base-choice/plain-settings.ts'

/** Empty chat with the agent. */
export const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  id: 'c-1',
  title: 'Lighthouses',
  excerpt: '',
  leafId: null,
  draft: null,
  usage: { prompt: null, completion: null, total: null, reasoning: null, cached: null },
  createdAt: 1000,
  lastAt: 1000,
  updatedAt: 1000,
  deletedAt: null,
  state: 'idle',
  settings: { ...plainAgent, knowledgeIds: ['base-1'] },
  accountId: 'this-computer',
  accountName: 'This computer',
  messages: 0,
  starred: false,
  folderId: null,
  tags: [],
  temporary: false,
  ...more,
})
