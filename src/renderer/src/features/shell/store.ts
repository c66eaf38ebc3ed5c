import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { AppInfo, StorageUse } from '../../../../shared/bridge/app.ts'
import type { ConnectionState } from '../../../../shared/model/connection.ts'
import type { BridgeState } from '../../api/transport.ts'
import { useClient } from '../../api/use-client.ts'

/** The app around the domains: how main stands, what it is, whom calls go to, how much is stored. */
export const useShell = defineStore('shell', () => {
  const client = useClient()
  const bridge = ref<BridgeState>('connecting')
  const info = shallowRef<AppInfo | null>(null)
  const connection = shallowRef<ConnectionState | null>(null)
  const storage = shallowRef<StorageUse | null>(null)
  const noticeSeen = ref(false)
  const inspectorOpen = ref(true)
  /** The window is too narrow for an inspector beside the work: it lies over it, and only when asked for. */
  const narrow = ref(false)
  const inspectorOver = ref(false)
  const inspectorShown = computed(() => (narrow.value ? inspectorOver.value : inspectorOpen.value))
  /** On narrow windows list and work share one place; this says which is meant. */
  const listOpen = ref(true)
  /** There is room for one of the two only. */
  const single = ref(false)
  /** Where there is room for both, the list was folded away to read in peace. */
  const listHidden = ref(false)
  const showList = (): void => {
    listOpen.value = true
    listHidden.value = false
  }
  const toggleList = (): void => {
    const one = single.value ? listOpen : listHidden
    one.value = !one.value
  }
  const paletteOpen = ref(false)
  /** A file of ours is being dragged out: over our own window it is nothing to import. */
  const draggedOut = ref(false)

  const load = async (): Promise<void> => {
    const reply = await client.request('app.info', {})
    if (!reply.ok) return
    info.value = reply.data
    connection.value = reply.data.connection
    await loadStorage()
  }
  const loadStorage = async (): Promise<void> => {
    const reply = await client.request('app.storage', {})
    if (reply.ok) storage.value = reply.data
  }

  let storageTimer: ReturnType<typeof setTimeout> | undefined
  client.onBridge((state) => {
    const was = bridge.value
    bridge.value = state
    if ((was === 'reconnecting' || was === 'closed') && state === 'open') void load()
  })
  client.onEvent((event) => {
    if (event.type === 'connection.changed') connection.value = event.state
    // Another library lies behind the page: everything it holds is read anew.
    if (event.type === 'library.exchanged') location.reload()
    if (event.type === 'storage.changed' && info.value) {
      info.value = { ...info.value, storage: event.notice }
      noticeSeen.value = false
    }
    const ended = event.type === 'run.changed' && event.run.endedAt !== null
    if (event.type !== 'library.changed' && !ended && event.type !== 'task.changed') return
    // A burst of changes asks once: the sizes are walked from the disk.
    clearTimeout(storageTimer)
    storageTimer = setTimeout(() => void loadStorage(), 1500)
  })

  const readOnly = computed(() => {
    const state = info.value?.storage.state
    return state === 'from-future' || state === 'read-only'
  })
  /** The versions to name when the data come from a newer Lectern and this was not said yet. */
  const future = computed(() => {
    const found = info.value?.storage
    return found?.state === 'from-future' && !noticeSeen.value ? found : null
  })
  const usedBytes = computed(() =>
    storage.value ? storage.value.database + storage.value.media + storage.value.backups : null,
  )
  const lost = computed(() => !['open', 'connecting'].includes(bridge.value))
  return {
    bridge,
    info,
    connection,
    storage,
    noticeSeen,
    inspectorOpen,
    narrow,
    inspectorOver,
    inspectorShown,
    listOpen,
    single,
    listHidden,
    showList,
    toggleList,
    paletteOpen,
    draggedOut,
    readOnly,
    future,
    usedBytes,
    lost,
    load,
    loadStorage,
  }
})
