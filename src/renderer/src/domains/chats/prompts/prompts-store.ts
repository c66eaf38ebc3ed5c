import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatPrompt } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** The prompt library. */
export const usePrompts = defineStore('prompts', () => {
  const client = useClient()
  const prompts = shallowRef<readonly ChatPrompt[]>([])
  const state = ref<'idle' | 'loading' | 'ready'>('idle')
  const failure = shallowRef<Failure | null>(null)

  const put = (prompt: ChatPrompt): void => {
    const others = prompts.value.filter(({ id }) => id !== prompt.id)
    prompts.value = [...others, prompt].toSorted((a, b) => a.name.localeCompare(b.name))
  }
  const load = async (): Promise<void> => {
    if (state.value === 'loading') return
    state.value = 'loading'
    const reply = await client.request('chats.prompts', {})
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) prompts.value = reply.data
    state.value = reply.ok ? 'ready' : 'idle'
  }
  /** Saves a new prompt, or an edited one by its ID; null if it failed, with the reason in `failure`. */
  const save = async (prompt: {
    readonly id?: string
    readonly name: string
    readonly text: string
  }): Promise<ChatPrompt | null> => {
    const reply = await client.request('chats.savePrompt', prompt)
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return null
    put(reply.data)
    return reply.data
  }
  const remove = async (id: string): Promise<boolean> => {
    const reply = await client.request('chats.removePrompt', { id })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) prompts.value = prompts.value.filter((one) => one.id !== id)
    return reply.ok
  }
  return { prompts, state, failure, load, save, remove }
})
