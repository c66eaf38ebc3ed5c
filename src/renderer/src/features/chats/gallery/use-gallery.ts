import { onScopeDispose, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import type { ListedAssistant } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../api/use-client.ts'
import { useAssistants } from '../list/assistants.ts'

/** Age in milliseconds from which a list is reloaded automatically: one day. */
const oldMs = 86_400_000

/** Loads the assistants of the active account: the saved list first, then the current one. */
export function useGallery(clock: () => number = Date.now) {
  const client = useClient()
  const names = useAssistants()
  const listed = shallowRef<readonly ListedAssistant[]>([])
  const at = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const refreshing = ref(false)
  const now = ref(clock())
  let turn = 0

  const ask = async (refresh: boolean): Promise<void> => {
    const mine = ++turn
    refreshing.value = refresh
    const reply = await client.request('chats.assistants', { refresh })
    if (mine !== turn) return
    refreshing.value = false
    now.value = clock()
    if (!reply.ok) {
      failure.value = reply.error
      return
    }
    listed.value = reply.data.assistants
    at.value = reply.data.at
    failure.value = reply.data.failure
    if (refresh) void names.load()
  }
  const refresh = (): Promise<void> => ask(true)
  const load = async (): Promise<void> => {
    await ask(false)
    // The saved list is shown meanwhile.
    if (failure.value === null && (at.value === null || clock() - at.value > oldMs)) await refresh()
  }
  const off = client.onEvent((event) => {
    if (event.type !== 'accounts.changed') return
    listed.value = []
    at.value = null
    void load()
  })
  const timer = setInterval(() => (now.value = clock()), 30_000)
  onScopeDispose(() => {
    off()
    clearInterval(timer)
  })
  return { listed, at, now, failure, refreshing, load, refresh }
}
