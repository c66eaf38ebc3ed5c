import type { AgentSettings, AssistantSettings } from '../../../../../shared/model/chat.ts'
import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import { plainAgent, plainAssistant } from '../../knowledge/index.ts'

/** What a new chat asks: knowledge bases, or an assistant if there are none. */
interface NewChatChoice {
  readonly assistantId: string
  readonly knowledgeIds: readonly string[]
}

/** The choice before any chat: the default assistant. */
export const plainChoice: NewChatChoice = { assistantId: defaultAssistantId, knowledgeIds: [] }

/** Chat preferences: how the composer works, and settings of a new chat. */
export interface ChatPreferences {
  /** Whether Enter sends and Shift+Enter inserts a line break; otherwise the other way round. */
  readonly enterSends: boolean
  readonly agent: AgentSettings
  /** For all assistants; the assistant itself is selected in the gallery. */
  readonly assistant: Pick<AssistantSettings, 'model' | 'doSample' | 'translate'>
  /** The choice of the last new chat, by account. */
  readonly lastChoices: Readonly<Record<string, NewChatChoice>>
}

/** Storage of the preferences: the page's own storage. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat'

/** Reads the preferences; missing or invalid values get their defaults. */
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
    lastChoices: Object.fromEntries(
      Object.entries(objectOf(saved['lastChoices'])).map(([accountId, choice]) => [
        accountId,
        readChoice(objectOf(choice)),
      ]),
    ),
  }
}

/** Saves the preferences; if the storage is full or blocked, they are only not remembered. */
export function writePreferences(store: PreferenceStore, preferences: ChatPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A chat must not fail because preferences of the next one cannot be saved.
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

const idsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [])
    .filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= 256)
    .slice(0, 100)

const readChoice = (saved: Readonly<Record<string, unknown>>): NewChatChoice => ({
  assistantId: words(saved['assistantId']) ?? defaultAssistantId,
  knowledgeIds: idsIn(saved['knowledgeIds']),
})

function readAgent(saved: Readonly<Record<string, unknown>>): AgentSettings {
  return {
    kind: 'agent',
    knowledgeIds: idsIn(saved['knowledgeIds']),
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
