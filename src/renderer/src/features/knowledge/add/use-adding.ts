import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import type { Slicing } from '../../../../../shared/model/knowledge.ts'
import { defaultSentenceSize } from '../../../../../shared/service/knowledge-terms.ts'
import { useKnowledgeBase } from '../base-store.ts'
import { addressesIn, type ChosenSource } from './sources.ts'
import { useFileIntake } from './use-file-intake.ts'

/** Sources and rules for adding to the opened knowledge base, and the upload. */
export function useAdding() {
  const store = useKnowledgeBase()
  const sources = shallowRef<readonly ChosenSource[]>([])
  /** ID of the previewed file. */
  const previewedId = ref('')
  const addresses = ref('')
  const slicing = shallowRef<Slicing>({
    type: 1,
    separators: [],
    sentenceSize: defaultSentenceSize,
  })
  const parseImages = ref(false)
  const wordLimit = ref<number | ''>('')
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)

  const put = (source: ChosenSource): void => {
    sources.value = [...sources.value.filter(({ mediaId }) => mediaId !== source.mediaId), source]
    previewedId.value = source.mediaId
  }
  const drop = (mediaId: string): void => {
    sources.value = sources.value.filter((source) => source.mediaId !== mediaId)
  }
  const { moving, problems, take } = useFileIntake(put)

  const typed = computed(() => addressesIn(addresses.value))
  const shown = computed(
    () =>
      sources.value.find(({ mediaId }) => mediaId === previewedId.value) ??
      sources.value[0] ??
      null,
  )
  const count = computed(() => sources.value.length + typed.value.urls.length)
  const ready = computed(
    () => count.value > 0 && typed.value.bad.length === 0 && moving.value === null,
  )
  /** Adds all of it to the queue; returns whether that succeeded. */
  const add = async (): Promise<boolean> => {
    if (!ready.value || busy.value) return false
    busy.value = true
    const reply = await store.upload({
      sources: [
        ...sources.value.map(({ mediaId, name, itemId }) => ({
          kind: 'file' as const,
          mediaId,
          name,
          ...(itemId !== undefined && { itemId }),
        })),
        ...typed.value.urls.map((url) => ({ kind: 'url' as const, url })),
      ],
      slicing: { ...slicing.value, separators: [...slicing.value.separators] },
      parseImages: parseImages.value,
      ...(wordLimit.value !== '' && wordLimit.value > 0 && { wordLimit: wordLimit.value }),
    })
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    return reply.ok
  }
  return {
    sources,
    previewedId,
    addresses,
    slicing,
    parseImages,
    wordLimit,
    busy,
    failure,
    put,
    drop,
    moving,
    problems,
    take,
    typed,
    shown,
    count,
    ready,
    add,
  }
}
