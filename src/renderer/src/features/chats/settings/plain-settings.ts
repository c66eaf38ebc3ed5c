import type {
  AgentSettings,
  AssistantSettings,
  ChatSettings,
} from '../../../../../shared/model/chat.ts'

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

/** The same one asked with the service's usual values: whom and where is asked stays. */
export const withDefaultSettings = (settings: ChatSettings): ChatSettings =>
  settings.kind === 'agent'
    ? { ...plainAgent, knowledgeIds: settings.knowledgeIds }
    : { ...plainAssistant, assistantId: settings.assistantId }

/** Whether two settings say the same. */
export const sameSettings = (a: ChatSettings, b: ChatSettings): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Whether everything is left to the service. */
export const isDefault = (settings: ChatSettings): boolean =>
  sameSettings(settings, withDefaultSettings(settings))

const sorted = (settings: ChatSettings) =>
  Object.entries(settings).toSorted(([a], [b]) => a.localeCompare(b))

/** Settings as a request takes them: its lists are its own. */
export const sendable = (settings: ChatSettings) =>
  settings.kind === 'agent'
    ? { ...settings, knowledgeIds: [...settings.knowledgeIds] }
    : { ...settings, translate: settings.translate && { ...settings.translate } }
