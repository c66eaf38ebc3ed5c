import { defineStore } from 'pinia'
import { ref } from 'vue'

/** Requested content of the side pane; sources have their own store and take precedence. */
export const useChatSide = defineStore('chat-side', () => {
  const settings = ref(false)
  /** Whether the prompt library is open above everything else. */
  const prompts = ref(false)
  const toggle = (): void => {
    settings.value = !settings.value
  }
  return { settings, prompts, toggle }
})
