import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ListedAssistant } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useAccounts } from '../../settings/index.ts'
import { useAssistants } from '../list/assistants.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Age in milliseconds from which a list is reloaded automatically: one day. */
const oldMs = 86_400_000

/** Loads the assistants of the active account: the saved list first, then the current one, in the language of the page. */
export function useGallery(language: Readonly<Ref<string>>, clock: () => number = Date.now) {
  const client = useClient()
  const names = useAssistants()
  const accounts = useAccounts()
  const listed = shallowRef<readonly ListedAssistant[]>([])
  const at = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const refreshing = ref(false)
  const now = ref(clock())
  const latest = createLatest()

  const ask = async (refresh: boolean): Promise<void> => {
    const isLatest = latest.start()
    refreshing.value = refresh
    const reply = await client.request('chats.assistants', {
      refresh,
      language: language.value === 'zh-CN' ? 'zh-CN' : 'en',
    })
    if (!isLatest()) return
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
    // The saved list is shown meanwhile. The on-device one costs nothing, and may be saved in another language.
    const isOld =
      at.value === null || clock() - at.value > oldMs || accounts.active?.preset === 'local'
    if (failure.value === null && isOld) await refresh()
  }
  const off = client.onEvent((event) => {
    if (event.type !== 'accounts.changed') return
    listed.value = []
    at.value = null
    void load()
  })
  watch(language, () => void load())
  const timer = setInterval(() => (now.value = clock()), 30_000)
  onScopeDispose(() => {
    off()
    clearInterval(timer)
  })
  return { listed, at, now, failure, refreshing, load, refresh }
}
