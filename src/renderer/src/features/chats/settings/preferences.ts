import type { AgentSettings, AssistantSettings } from '../../../../../shared/model/chat.ts'
import { plainAgent, plainAssistant } from './plain-settings.ts'

/** How somebody chats: how they write, and what a new conversation begins with. */
export interface ChatPreferences {
  /** Enter sends and Shift+Enter begins a line; else the other way round. */
  readonly enterSends: boolean
  readonly agent: AgentSettings
  /** For every assistant: which one is chosen in the gallery. */
  readonly assistant: Pick<AssistantSettings, 'model' | 'doSample' | 'translate'>
}

/** Where they are kept: the page's own storage. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat'

/** Reads them; what is missing or broken is as on the first day. */
export function readPreferences(store: PreferenceStore): ChatPreferences {
  let saved: Readonly<Record<string, unknown>>
  try {
    saved = objectOf(JSON.parse(store.getItem(name) ?? '{}'))
  } catch {
    saved = {}
  }
  return {
    enterSends: saved['enterSends'] !== false,
    agent: readAgent(objectOf(saved['agent'])),
    assistant: readAssistant(objectOf(saved['assistant'])),
  }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writePreferences(store: PreferenceStore, preferences: ChatPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A conversation does not fail for the sake of the next one's comfort.
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const words = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 128 ? value : null
const within = (value: unknown, from: number, to: number): number | null =>
  typeof value === 'number' && value >= from && value <= to ? value : null
const counted = (value: unknown): number | null =>
  Number.isInteger(value) ? within(value, 1, 10_000) : null

function readAgent(saved: Readonly<Record<string, unknown>>): AgentSettings {
  const ids = Array.isArray(saved['knowledgeIds']) ? saved['knowledgeIds'] : []
  return {
    kind: 'agent',
    knowledgeIds: ids
      .filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= 256)
      .slice(0, 100),
    topK: counted(saved['topK']),
    topN: counted(saved['topN']),
    rerank: saved['rerank'] === true,
    similarityThreshold: within(saved['similarityThreshold'], -1, 1),
    model: words(saved['model']),
    temperature: within(saved['temperature'], 0, 2),
    maxSteps: counted(saved['maxSteps']),
    thinking: typeof saved['thinking'] === 'boolean' ? saved['thinking'] : plainAgent.thinking,
  }
}

function readAssistant(saved: Readonly<Record<string, unknown>>): ChatPreferences['assistant'] {
  const translate = objectOf(saved['translate'])
  const [from, to] = [words(translate['from']), words(translate['to'])]
  return {
    model: words(saved['model']),
    doSample: typeof saved['doSample'] === 'boolean' ? saved['doSample'] : plainAssistant.doSample,
    translate: from !== null && to !== null ? { from, to } : null,
  }
}
