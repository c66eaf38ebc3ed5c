import type { AgentSettings, AssistantSettings } from '../../../../../shared/model/chat.ts'

/** The agent as nobody has set it: everything is left to the service. */
export const plainAgent: AgentSettings = {
  kind: 'agent',
  knowledgeIds: [],
  topK: null,
  topN: null,
  rerank: false,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: false,
}

/** An assistant as nobody has set it. */
export const plainAssistant: Omit<AssistantSettings, 'assistantId'> = {
  kind: 'assistant',
  model: null,
  doSample: null,
  translate: null,
}
