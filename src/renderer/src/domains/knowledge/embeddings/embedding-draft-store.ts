import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { EmbeddingChoice, EmbeddingText } from '../../../../../shared/model/embeddings.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import { estimateTokens } from '../../../../../shared/text/token-estimate.ts'
import { useAccounts } from '../../settings/index.ts'

/** A text of the draft with its token counts. */
interface DraftText extends EmbeddingText {
  readonly key: string
  /** Minimum number of tokens, and the estimated number. */
  readonly min: number
  readonly likely: number
}

/** All available choices (service-notes 15). */
export const choices: readonly EmbeddingChoice[] = [
  { model: 'embedding-3', dimensions: 2048 },
  { model: 'embedding-3', dimensions: 1024 },
  { model: 'embedding-3', dimensions: 512 },
  { model: 'embedding-3', dimensions: 256 },
  { model: 'embedding-2', dimensions: 1024 },
]

/** Number of texts measured between two frames. */
const measuredAtOnce = 200

/** Draft of embeddings, retained while other views are open. */
export const useEmbeddingDraft = defineStore('embedding-draft', () => {
  const accounts = useAccounts()
  const texts = shallowRef<readonly DraftText[]>([])
  const chosen = ref(new Set([1]))
  /** Empty for the active account. */
  const accountId = ref('')
  /** Whether texts are still being measured. */
  const adding = ref(false)
  let serial = 0
  let measuring: Promise<void> = Promise.resolve()

  const account = computed(() =>
    accountId.value === '' ? accounts.active : accounts.byId(accountId.value),
  )
  const limits = computed(() => limitsWith(account.value?.profile.limits ?? {}).embeddings)
  const sets = computed(() => choices.filter((_, at) => chosen.value.has(at)))
  /** Maximum number of tokens per text that every chosen model accepts. */
  const maxTokens = computed(() =>
    sets.value.some(({ model }) => model === 'embedding-2')
      ? limits.value.tokens2
      : limits.value.tokens3,
  )
  const tooLong = computed(() =>
    texts.value.filter(({ min: minTokens }) => minTokens > maxTokens.value),
  )
  const tokens = computed(() => texts.value.reduce((sum, { likely }) => sum + likely, 0))

  const measure = async (more: readonly EmbeddingText[]): Promise<void> => {
    adding.value = true
    for (let at = 0; at < more.length; at += measuredAtOnce) {
      const part = more.slice(at, at + measuredAtOnce).map((one) => ({
        text: one.text,
        source: one.source ?? null,
        key: String((serial += 1)),
        ...estimateTokens(one.text),
      }))
      texts.value = [...texts.value, ...part]
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    adding.value = false
  }
  const add = (more: readonly EmbeddingText[]): Promise<void> =>
    (measuring = measuring.then(() => measure(more)))
  /** Resolves once every added text is measured and in the list. */
  const measured = (): Promise<void> => measuring
  const addTexts = (more: readonly string[]): Promise<void> =>
    add(more.map((text) => ({ text, source: null })))
  const remove = (keys: readonly string[]): void => {
    const gone = new Set(keys)
    texts.value = texts.value.filter(({ key }) => !gone.has(key))
  }
  const toggle = (at: number): void => {
    const next = new Set(chosen.value)
    if (!next.delete(at)) next.add(at)
    chosen.value = next
  }
  /** Restores the list: undo of a removal. */
  const restore = (before: readonly DraftText[]): void => {
    texts.value = before
  }
  return {
    texts,
    chosen,
    accountId,
    adding,
    account,
    limits,
    sets,
    maxTokens,
    tooLong,
    tokens,
    add,
    measured,
    addTexts,
    remove,
    toggle,
    restore,
  }
})
