import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { EmbeddingCost } from '../../../../../shared/model/embeddings.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useEmbeddingDraft } from './embedding-draft-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Pause without a change before the texts are sent to main and measured, in milliseconds. */
const quietMs = 500
/** Number of texts written between two frames. */
const writtenAtOnce = 1000

/** Cost of the draft: its texts are sent to main as a file, which the start then refers to. */
export function usePlan() {
  const client = useClient()
  const draft = useEmbeddingDraft()
  const costs = shallowRef<readonly EmbeddingCost[] | null>(null)
  const mediaId = ref<string | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()
  /** Content of the file sent last. */
  let handed: readonly unknown[] | null = null

  const loadPlan = async (): Promise<void> => {
    const isLatest = latest.current()
    const texts = draft.texts
    if (texts.length === 0 || draft.sets.length === 0 || draft.adding) return
    busy.value = true
    if (handed !== texts || mediaId.value === null) {
      const lines: string[] = []
      for (const { text, source } of texts) {
        if (lines.length % writtenAtOnce === writtenAtOnce - 1)
          await new Promise((resolve) => setTimeout(resolve, 0))
        lines.push(`${JSON.stringify(source ? { text, source } : { text })}\n`)
      }
      if (!isLatest()) return
      const upload = await client.upload(
        new File(lines, 'texts.jsonl', { type: 'application/x-ndjson' }),
      )
      if (!isLatest()) return
      if (!upload.ok) {
        failure.value = upload.error
        busy.value = false
        return
      }
      mediaId.value = upload.data.media.id
      handed = texts
    }
    const reply = await client.request('embeddings.plan', {
      mediaId: mediaId.value,
      sets: orderedSets(),
      ...(draft.accountId !== '' && { accountId: draft.accountId }),
    })
    if (!isLatest()) return
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    costs.value = reply.ok ? reply.data.costs : null
  }
  // The choices are those of the bridge schema.
  const orderedSets = () => draft.sets.map((set) => ({ ...set })) as never
  watch(
    () => [draft.texts, draft.sets, draft.accountId, draft.adding] as const,
    () => {
      latest.cancel()
      clearTimeout(timer)
      costs.value = null
      busy.value = draft.texts.length > 0 && draft.sets.length > 0
      timer = setTimeout(() => void loadPlan(), quietMs)
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))
  return { costs, mediaId, failure, busy, loadPlan, orderedSets }
}
