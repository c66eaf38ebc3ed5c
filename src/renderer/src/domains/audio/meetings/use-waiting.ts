import { computed, ref } from 'vue'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useAccounts, useAccountName } from '../../settings/index.ts'
import { heldUp, outOfReach } from '../recorder/live-lines.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useMeeting } from './meetings-store.ts'

/** Failures that remain until the user acts. */
const ofTheUser: ReadonlySet<string> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'QUOTA_EXHAUSTED',
])

/** Segments of the opened meeting that wait for an unreachable account, and the ways to continue. */
export function useWaiting() {
  const store = useMeeting()
  const shell = useShell()
  const accounts = useAccounts()
  const accountName = useAccountName()
  const busy = ref(false)
  const away = computed(() => outOfReach(shell.connection, store.meeting?.accountId))
  const parts = computed(() => heldUp(store.segments, away.value !== null))
  /** The reason, of the first of them. */
  const reason = computed(
    () => parts.value.find(({ error }) => error !== null)?.error ?? away.value?.error ?? null,
  )
  /** The network recovers automatically; a key or a quota does not. */
  const byItself = computed(() => !ofTheUser.has(reason.value?.code ?? ''))
  const isLocal = computed(() => store.meeting?.accountId === localAccountId)
  const account = computed(() => {
    const found = accounts.byId(store.meeting?.accountId ?? '')
    return found ? accountName(found) : ''
  })
  const fill = async (accountId?: string): Promise<void> => {
    busy.value = true
    await store.fill(accountId)
    busy.value = false
  }
  return {
    parts,
    reason,
    byItself,
    isLocal,
    account,
    busy,
    tryNow: () => fill(),
    /** Switches transcription to this computer, waiting segments first. */
    goLocal: () => fill(localAccountId),
  }
}
