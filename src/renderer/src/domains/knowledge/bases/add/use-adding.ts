import { computed, ref, shallowRef, onScopeDispose } from 'vue'
import { textFormatOf } from '../../../../../../shared/documents/text-formats.ts'
import type { Failure } from '../../../../../../shared/contract/reply.ts'
import type { Slicing } from '../../../../../../shared/model/knowledge.ts'
import {
  defaultSentenceSize,
  uploadKindOf,
} from '../../../../../../shared/provider/knowledge-terms.ts'
import { localAccountId } from '../../../../../../shared/provider/profiles.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'
import { useKnowledgeBase } from '../base-store.ts'
import { addressesIn, type ChosenSource, sourceOf } from './sources.ts'

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
  const wordLimit = ref<number | null>(null)
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)

  const put = (source: ChosenSource): void => {
    sources.value = [...sources.value.filter(({ mediaId }) => mediaId !== source.mediaId), source]
    previewedId.value = source.mediaId
  }
  const drop = (mediaId: string): void => {
    sources.value = sources.value.filter((source) => source.mediaId !== mediaId)
  }
  const { moving, problems, take } = useFileIntake(put, () => store.base?.accountId ?? '')

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
      ...(wordLimit.value !== null && { wordLimit: wordLimit.value }),
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

/** Uploads files to main one after another; those too large for the provider are refused before. */
function useFileIntake(put: (source: ChosenSource) => void, accountId: () => string) {
  const client = useClient()
  const { t, bytes, failure: words } = useTranslation()
  const moving = shallowRef<{ readonly name: string; readonly fraction: number } | null>(null)
  const problems = ref<readonly string[]>([])
  const waiting: File[] = []
  const ends = new AbortController()

  const importOne = async (file: File): Promise<void> => {
    const known = uploadKindOf(file.name)
    if (known && file.size > known.bytes) {
      const limit = bytes(known.bytes)
      problems.value = [...problems.value, t('knowledgeAdd.tooLarge', { name: file.name, limit })]
      return
    }
    moving.value = { name: file.name, fraction: 0 }
    const reply = await client.upload(file, {
      signal: ends.signal,
      onProgress: (fraction) => (moving.value = { name: file.name, fraction }),
    })
    if (ends.signal.aborted) return
    if (!reply.ok) {
      problems.value = [...problems.value, `${file.name}: ${words(reply.error).what}`]
      return
    }
    const isRead = accountId() === localAccountId && textFormatOf(file.name) !== null
    if (!known && !isRead)
      problems.value = [...problems.value, t('knowledgeAdd.otherKind', { name: file.name })]
    put(sourceOf(reply.data.media, file.name))
  }
  const take = async (files: readonly File[]): Promise<void> => {
    const isBusy = waiting.length > 0 || moving.value !== null
    waiting.push(...files)
    if (isBusy) return
    problems.value = []
    for (let file = waiting.shift(); file && !ends.signal.aborted; file = waiting.shift())
      await importOne(file)
    moving.value = null
  }
  onScopeDispose(() => ends.abort())
  return { moving, problems, take }
}
