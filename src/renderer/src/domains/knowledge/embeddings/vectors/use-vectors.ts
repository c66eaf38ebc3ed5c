import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { EmbeddingRun, EmbeddingSet } from '../../../../../../shared/model/embeddings.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import type { VectorAnswers, VectorMessage, VectorRequest } from './messages.ts'

/** Sends a request to the worker; null if a later request replaced it, or the worker failed. */
export type AskVectors = <R extends VectorRequest>(
  request: R,
  onProgress?: (done: number) => void,
) => Promise<VectorAnswers[R['type']] | null>

interface Waiting {
  readonly resolve: (answer: VectorAnswers[keyof VectorAnswers] | null) => void
  readonly onProgress: ((done: number) => void) | undefined
}

/** The vectors of a set, loaded into a separate worker while they are shown. */
export function useVectors(of: () => { readonly run: EmbeddingRun; readonly set: EmbeddingSet }) {
  const client = useClient()
  const waiting = new Map<number, Waiting>()
  const loaded = shallowRef<VectorAnswers['load'] | null>(null)
  const progress = ref(0)
  const trouble = ref<'gone' | 'broken' | null>(null)
  let worker: Worker | null = null
  let last = 0

  const settle = (id: number, value: VectorAnswers[keyof VectorAnswers] | null): void => {
    waiting.get(id)?.resolve(value)
    waiting.delete(id)
  }
  const start = (): Worker => {
    const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    made.onmessage = ({ data }: MessageEvent<VectorMessage>) => {
      if ('progress' in data) waiting.get(data.id)?.onProgress?.(data.progress)
      else if ('answer' in data) settle(data.id, data.answer)
      else {
        if (data.failed !== 'replaced') trouble.value = data.failed
        settle(data.id, null)
      }
    }
    made.onerror = () => {
      trouble.value = 'broken'
      for (const id of waiting.keys()) settle(id, null)
    }
    return made
  }
  const ask: AskVectors = (request, onProgress) =>
    new Promise((resolve) => {
      worker ??= start()
      last += 1
      // Each response belongs to the type of its request.
      waiting.set(last, { resolve: resolve as Waiting['resolve'], onProgress })
      worker.postMessage({ id: last, request })
    })

  const key = computed(() => {
    const { run, set } = of()
    return set.mediaId === null ? '' : `${run.textsMediaId} ${set.mediaId}`
  })
  const load = async (): Promise<void> => {
    const { run, set } = of()
    const wanted = key.value
    loaded.value = null
    progress.value = 0
    trouble.value = null
    if (set.mediaId === null) return
    const answer = await ask(
      {
        type: 'load',
        texts: client.mediaUrl(run.textsMediaId),
        vectors: client.mediaUrl(set.mediaId),
        bytes: run.count * set.dimensions * 4,
        dimensions: set.dimensions,
      },
      (done) => (progress.value = done),
    )
    if (key.value === wanted) loaded.value = answer
  }
  watch(key, () => void load(), { immediate: true })
  onScopeDispose(() => worker?.terminate())
  return { loaded, progress, trouble, ask, load, key }
}
