import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import {
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
  return { preferences, prefer }
})
