import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef } from 'vue'
import type { RouteLocation } from 'vue-router'
import type { AppInfo, StorageUse } from '../../../shared/contract/app.ts'
import type { ConnectionState } from '../../../shared/model/connection.ts'
import type { BridgeState } from './bridge/client.ts'
import { useClient } from './bridge/use-client.ts'
import { developerPlaces, places, type Place } from './places.ts'

/** App state outside the features: main's status and info, the active account, and storage usage. */
export const useShell = defineStore('shell', () => {
  const client = useClient()
  const bridge = ref<BridgeState>('connecting')
  const info = shallowRef<AppInfo | null>(null)
  const connection = shallowRef<ConnectionState | null>(null)
  const storage = shallowRef<StorageUse | null>(null)
  const noticeSeen = ref(false)
  const inspectorOpen = ref(true)
  /** Whether the window is too narrow for an inspector next to the work: it overlays it, only on request. */
  const narrow = ref(false)
  const inspectorOver = ref(false)
  const inspectorShown = computed(() => (narrow.value ? inspectorOver.value : inspectorOpen.value))
  /** In narrow windows, list and work share one area; true shows the list. */
  const listOpen = ref(true)
  /** Whether there is room for only one of the two. */
  const single = ref(false)
  /** Whether the user collapsed the list although there is room for both. */
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
  /** Whether a file of the app is being dragged out: dropped on the app's own window it is not imported. */
  const draggedOut = ref(false)

  /** What is open in each place of this window, or was open there last. */
  const opened = shallowReactive(new Map<string, { readonly id: string; readonly path: string }>())
  /** Remembers what a route opens in its place. */
  const visit = ({ name, path, params }: Pick<RouteLocation, 'name' | 'path' | 'params'>): void => {
    const place = [...places, ...developerPlaces].find((one) => one === name)
    if (place) opened.set(place, { id: String(params['id'] ?? ''), path })
  }
  /** Returns the path of a place: of what was open there last, or of its start for the place that is shown. */
  const pathOf = (place: Place, shown: RouteLocation['name']): string =>
    (shown === place ? undefined : opened.get(place)?.path) ?? `/${place}`
  /** Forgets what was deleted; without IDs, anything may have been. */
  const forgetDeleted = async (itemIds: readonly string[]): Promise<void> => {
    for (const [place, { id }] of opened) {
      if (id === '' || (itemIds.length > 0 && !itemIds.includes(id))) continue
      const reply = await client.request('library.summary', { id })
      const deleted = reply.ok ? reply.data.deletedAt !== null : reply.error.code === 'NOT_FOUND'
      if (deleted && opened.get(place)?.id === id) opened.delete(place)
    }
  }

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
  client.onBridge((state) => (bridge.value = state))
  client.onReopen(() => void load())
  client.onEvent((event) => {
    if (event.type === 'connection.changed') connection.value = event.state
    // The store uses another library: reload everything.
    if (event.type === 'library.exchanged') location.reload()
    if (event.type === 'storage.changed' && info.value) {
      info.value = { ...info.value, storage: event.notice }
      noticeSeen.value = false
    }
    if (event.type === 'library.changed') void forgetDeleted(event.itemIds)
    const ended = event.type === 'run.changed' && event.run.endedAt !== null
    if (event.type !== 'library.changed' && !ended && event.type !== 'task.changed') return
    // One request for a burst of changes: the sizes are computed by walking the disk.
    clearTimeout(storageTimer)
    storageTimer = setTimeout(() => void loadStorage(), 1500)
  })

  const readOnly = computed(() => {
    const state = info.value?.storage.state
    return state === 'from-future' || state === 'read-only'
  })
  /** Versions to show when the data was written by a newer Lectern and this has not been shown yet. */
  const future = computed(() => {
    const found = info.value?.storage
    return found?.state === 'from-future' && !noticeSeen.value ? found : null
  })
  const usedBytes = computed(() =>
    storage.value ? storage.value.database + storage.value.media + storage.value.backups : null,
  )
  /** Whether the active account cannot be asked now: offline, or without a valid key. */
  const isUnreachable = computed(() =>
    ['offline', 'no-key', 'key-rejected'].includes(connection.value?.state ?? ''),
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
    visit,
    pathOf,
    readOnly,
    future,
    usedBytes,
    isUnreachable,
    lost,
    load,
    loadStorage,
  }
})
