import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ChatSettings } from '../../../../../shared/model/chat.ts'
import {
  plainChoice,
  readPreferences,
  writePreferences,
  type ChatPreferences,
} from './chat-settings-preferences.ts'

/** Chat preferences, shared by the whole page. */
export const useChatPreferences = defineStore('chatPreferences', () => {
  const preferences = shallowRef(readPreferences(localStorage))
  const prefer = (change: Partial<ChatPreferences>): void => {
    preferences.value = { ...preferences.value, ...change }
    writePreferences(localStorage, preferences.value)
  }
  /** Starts the next new chat of this account like a chat with these settings. */
  const rememberChoice = (accountId: string, settings: ChatSettings): void => {
    const last = preferences.value.lastChoices[accountId] ?? plainChoice
    const choice =
      settings.kind === 'agent'
        ? { ...last, knowledgeIds: settings.knowledgeIds }
        : { assistantId: settings.assistantId, knowledgeIds: [] }
    prefer({ lastChoices: { ...preferences.value.lastChoices, [accountId]: choice } })
  }
  return { preferences, prefer, rememberChoice }
})
