import { onScopeDispose, ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useRuns } from '../runs/runs-store.ts'

/** Generation of a presentation: a run of the slides agent, followed to its end. */
export function useSlideGeneration(callbacks: {
  made(conversationId: string): void
  failed(failure: Failure): void
}) {
  const client = useClient()
  const runs = useRuns()
  const runId = ref<string | null>(null)

  const begin = async (text: string): Promise<void> => {
    const outcome = await runs.start('slides.talk', { text })
    if ('failure' in outcome) callbacks.failed(outcome.failure)
    else runId.value = outcome.run.id
  }
  const over = async (id: string): Promise<void> => {
    const reply = await client.request('runs.get', { id })
    runId.value = null
    if (!reply.ok) return callbacks.failed(reply.error)
    const { value, error } = reply.data
    const { conversationId } = (value ?? {}) as { readonly conversationId?: unknown }
    if (error) callbacks.failed(error)
    else if (typeof conversationId === 'string' && conversationId !== '')
      callbacks.made(conversationId)
  }
  const off = client.onEvent((event) => {
    if (event.type !== 'run.changed' || event.run.id !== runId.value) return
    if (event.run.state !== 'running') void over(event.run.id)
  })
  onScopeDispose(off)
  return { runId, begin }
}
