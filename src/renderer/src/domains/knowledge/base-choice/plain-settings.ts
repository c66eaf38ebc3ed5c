import type {
  AgentSettings,
  AssistantSettings,
  ChatSettings,
} from '../../../../../shared/model/chat.ts'

/** Agent with default settings: everything is left to the provider. */
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

/** Assistant with default settings. */
export const plainAssistant: Omit<AssistantSettings, 'assistantId'> = {
  kind: 'assistant',
  model: null,
  doSample: null,
  translate: null,
}

/** Returns the settings reset to the provider's defaults; assistant and knowledge bases are preserved. */
export const withDefaultSettings = (settings: ChatSettings): ChatSettings =>
  settings.kind === 'agent'
    ? { ...plainAgent, knowledgeIds: settings.knowledgeIds }
    : { ...plainAssistant, assistantId: settings.assistantId }

/** Whether two settings are equal. */
export const sameSettings = (a: ChatSettings, b: ChatSettings): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Whether everything is left to the provider's defaults. */
export const isDefault = (settings: ChatSettings): boolean =>
  sameSettings(settings, withDefaultSettings(settings))

const sorted = (settings: ChatSettings) =>
  Object.entries(settings).toSorted(([a], [b]) => a.localeCompare(b))

/** Returns settings for a request, with copied lists. */
export const sendable = (settings: ChatSettings) =>
  settings.kind === 'agent'
    ? { ...settings, knowledgeIds: [...settings.knowledgeIds] }
    : { ...settings, translate: settings.translate && { ...settings.translate } }
