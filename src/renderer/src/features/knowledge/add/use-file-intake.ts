import { onScopeDispose, ref, shallowRef } from 'vue'
import { uploadKindOf } from '../../../../../shared/service/knowledge-terms.ts'
import { useClient } from '../../../api/use-client.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { sourceOf, type ChosenSource } from './sources.ts'

/** Uploads files to main one after another; those too large for the provider are refused before. */
export function useFileIntake(put: (source: ChosenSource) => void) {
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
    if (!known)
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
