import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { KnownBases } from '../../../../../shared/model/document-transfer.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Known knowledge bases of an account. */
interface BasesOfAccount {
  readonly loading: boolean
  readonly known: KnownBases | null
  /** Set when not even the saved list could be loaded. */
  readonly failure: Failure | null
}

const notLoaded: BasesOfAccount = { loading: false, known: null, failure: null }

/** Knowledge bases by account: the last known list is shown while it is being refreshed. */
export const useBases = defineStore('chatBases', () => {
  const client = useClient()
  const byAccount = shallowRef<ReadonlyMap<string, BasesOfAccount>>(new Map())

  const of = (accountId: string): BasesOfAccount => byAccount.value.get(accountId) ?? notLoaded
  const patch = (accountId: string, change: Partial<BasesOfAccount>): void => {
    byAccount.value = new Map(byAccount.value).set(accountId, { ...of(accountId), ...change })
  }
  const refresh = async (accountId: string): Promise<void> => {
    if (of(accountId).loading) return
    patch(accountId, { loading: true })
    const reply = await client.request('documents.bases', { accountId })
    patch(
      accountId,
      reply.ok
        ? { loading: false, known: reply.data, failure: null }
        : { loading: false, failure: reply.error },
    )
  }
  return { of, refresh }
})
