import { computed } from 'vue'
import type { VoiceSample } from '../../../../../shared/model/sample.ts'

/** The version that stands, the one it was made of, and the newest that was made of it: undo and redo. */
export function useVersions(sample: () => VoiceSample) {
  const version = computed(() => sample().versions.find(({ id }) => id === sample().versionId))
  const undo = computed(() => version.value?.parentId ?? null)
  const redo = computed(
    () => sample().versions.findLast(({ parentId }) => parentId === sample().versionId)?.id ?? null,
  )
  return { version, undo, redo }
}
