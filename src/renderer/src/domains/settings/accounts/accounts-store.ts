import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { AccountView, ConnectionCheck } from '../../../../../shared/contract/accounts.ts'
import type { ErrorCode, Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'

/** Store of the accounts with the status of their keys; never a key. */
export const useAccounts = defineStore('accounts', () => {
  const client = useClient()
  const accounts = shallowRef<readonly AccountView[]>([])
  const loaded = ref(false)
  const failure = ref<Failure | null>(null)

  const load = async (): Promise<void> => {
    const reply = await client.request('accounts.list', {})
    if (!reply.ok) {
      failure.value = reply.error
      return
    }
    accounts.value = reply.data
    failure.value = null
    loaded.value = true
  }
  /** Returns a reply after the list was reloaded. */
  const thenLoad = async <T>(pending: Promise<Reply<T>>): Promise<Reply<T>> => {
    const reply = await pending
    if (reply.ok) await load()
    return reply
  }

  const activate = (id: string) => thenLoad(client.request('accounts.activate', { id }))
  const create = (request: RequestOf<'accounts.create'>) =>
    thenLoad(client.request('accounts.create', request))
  const update = (request: RequestOf<'accounts.update'>) =>
    thenLoad(client.request('accounts.update', request))
  const remove = (id: string) => thenLoad(client.request('accounts.remove', { id }))
  /** Sets the key for the shown base URL: rejected if another window has changed it in the meantime. */
  const setKey = (id: string, key: string) => {
    const url = accounts.value.find((account) => account.id === id)?.profile.baseUrl ?? ''
    const origin = URL.canParse(url) ? new URL(url).origin : undefined
    return thenLoad(
      client.request('accounts.setKey', { id, key: key.trim(), ...(origin && { origin }) }),
    )
  }
  const clearKey = (id: string) => thenLoad(client.request('accounts.clearKey', { id }))
  /** Runs a connection check; a failure of the bridge itself counts as a failed check. */
  const check = async (id: string, callId = callerId()): Promise<ConnectionCheck> => {
    const reply = await client.request('accounts.check', { id, callId })
    return reply.ok ? reply.data : { outcome: 'failed', ms: 0, error: reply.error }
  }
  /** Stops a check by the ID its caller chose; it then ends as CANCELLED. */
  const cancelCheck = (callId: string) => client.request('streams.cancel', { callId })
  /**
   * Saves the key of a new account, checks the connection, and uses the account if the check passes. Returns no check once
   * the signal is aborted.
   */
  const connect = async (id: string, key: string, signal?: AbortSignal) => {
    const canceled = { ok: true, data: null } as const
    const saved = await setKey(id, key)
    if (!saved.ok) return saved
    if (signal?.aborted) return canceled
    const callId = callerId()
    signal?.addEventListener('abort', () => void cancelCheck(callId), { once: true })
    const result = await check(id, callId)
    if (signal?.aborted) return canceled
    const used = result.outcome === 'ok' ? await activate(id) : null
    return used && !used.ok ? used : ({ ok: true, data: result } as const)
  }
  /** Opens the site of the account's provider, where keys are created, in the system browser. */
  const openSite = (url: string) => client.request('app.openExternal', { url })

  client.onEvent((event) => {
    if (event.type === 'accounts.changed') void load()
  })
  const active = computed(() => accounts.value.find((account) => account.active) ?? null)
  const byId = (id: string): AccountView | null =>
    accounts.value.find((account) => account.id === id) ?? null
  return {
    accounts,
    loaded,
    failure,
    active,
    byId,
    load,
    activate,
    create,
    update,
    remove,
    setKey,
    clearKey,
    check,
    cancelCheck,
    connect,
    openSite,
  }
})

/** Whether a key has a plausible format (the bridge rejects anything else). */
export function isPlausibleKey(key: string): boolean {
  return /^[\x21-\x7e]{8,512}$/.test(key.trim())
}

const accountCodes: readonly ErrorCode[] = [
  'ACCOUNT_REMOVED',
  'NO_KEY',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  'OFFLINE',
  'TLS_UNTRUSTED',
  'MALFORMED_REPLY',
  'REDIRECTED',
  'MODEL_UNKNOWN',
  'INVALID_INPUT',
  'CONTENT_BLOCKED',
  'NOT_IMPLEMENTED',
  'SERVICE_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
]

/** Whether another or a corrected account would not have failed like this. */
export function isAccountFailure(code: ErrorCode): boolean {
  return accountCodes.includes(code)
}
