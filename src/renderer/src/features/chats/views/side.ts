import { defineStore } from 'pinia'
import { ref } from 'vue'

/** What stands to the right of a conversation when it was asked for; sources have a store of their own and go before it. */
export const useChatSide = defineStore('chat-side', () => {
  const settings = ref(false)
  /** The prompt library lies over all of it. */
  const prompts = ref(false)
  const toggle = (): void => {
    settings.value = !settings.value
  }
  return { settings, prompts, toggle }
})
