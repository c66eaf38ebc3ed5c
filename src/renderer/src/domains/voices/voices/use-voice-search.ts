import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Voice } from '../../../../../shared/model/voice.ts'
import {
  loadPronunciations,
  nameFit,
  needsPronunciations,
  type Pronunciations,
} from './voice-search.ts'
import { useVoices } from './voices-store.ts'

/** Filter of the voice list. */
export type VoiceFilter = 'all' | 'PRIVATE' | 'OFFICIAL'

/** Milliseconds after the last keystroke until the provider is called. */
const pauseMs = 350

/** Fuzzy search of voices by name, and by type: locally at once, and by the provider's own search when it responds. */
export function useVoiceSearch() {
  const voices = useVoices()
  const name = ref('')
  const type = ref<VoiceFilter>('all')
  const pronunciations = shallowRef<Pronunciations>(() => null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let loading = false

  watch([name, () => voices.voices], () => {
    if (loading || name.value === '') return
    if (!needsPronunciations([name.value, ...voices.voices.map((voice) => voice.name)])) return
    loading = true
    void loadPronunciations().then((loaded) => (pronunciations.value = loaded))
  })
  watch(name, (typed) => {
    clearTimeout(timer)
    timer = setTimeout(() => void voices.search(typed.trim()), typed === '' ? 0 : pauseMs)
  })
  onScopeDispose(() => clearTimeout(timer))

  const shown = computed<readonly Voice[]>(() => {
    const typed = name.value.trim()
    const found = voices.found?.name === typed ? new Set(voices.found.voices) : new Set()
    const fits = (voice: Voice): number =>
      Math.max(nameFit(voice.name, typed, pronunciations.value), found.has(voice.voice) ? 0.7 : 0)
    const matching = voices.voices.filter(
      (voice) => type.value === 'all' || voice.type.toUpperCase() === type.value,
    )
    if (typed === '') return matching
    return matching
      .map((voice) => ({ voice, fit: fits(voice) }))
      .filter(({ fit }) => fit > 0)
      .toSorted((a, b) => b.fit - a.fit)
      .map(({ voice }) => voice)
  })
  return { name, type, shown }
}
