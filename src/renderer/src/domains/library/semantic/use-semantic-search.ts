import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { SemanticReply } from '../../../../../shared/model/semantic.ts'
import type { Client } from '../../../lib/bridge/client.ts'

/** Sends one search request after the other; shows only the reply to the latest. */
export function createSemanticSearch(client: Client) {
  const reply = shallowRef<SemanticReply | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let turn = 0
  const clear = (): void => {
    turn += 1
    busy.value = false
    reply.value = null
    failure.value = null
  }
  const ask = async (request: RequestOf<'semantic.search'>): Promise<void> => {
    const mine = ++turn
    busy.value = true
    const answer = await client.request('semantic.search', request)
    if (mine !== turn) return
    busy.value = false
    reply.value = answer.ok ? answer.data : null
    failure.value = answer.ok ? null : answer.error
  }
  return { reply, failure, busy, ask, clear }
}
