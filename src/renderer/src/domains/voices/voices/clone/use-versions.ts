import { computed } from 'vue'
import type {
  SampleFix,
  SampleVersion,
  VoiceSample,
} from '../../../../../../shared/model/sample.ts'

/** The current version, its processing steps, the version it was made from, and the newest made from it: undo and redo. */
export function useVersions(sample: () => VoiceSample) {
  const version = computed(() => sample().versions.find(({ id }) => id === sample().versionId))
  const undo = computed(() => version.value?.parentId ?? null)
  const redo = computed(
    () => sample().versions.findLast(({ parentId }) => parentId === sample().versionId)?.id ?? null,
  )
  const done = computed(() => {
    const types = new Set<SampleFix['type']>()
    for (let one = version.value; one?.fix; one = parentOf(one)) types.add(one.fix.type)
    return types
  })
  const parentOf = ({ parentId }: SampleVersion) =>
    sample().versions.find(({ id }) => id === parentId)
  return { version, done, undo, redo }
}
