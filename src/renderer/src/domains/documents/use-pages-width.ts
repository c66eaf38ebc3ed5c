import { ref, watch } from 'vue'
import { useSettings } from '../../lib/settings-store.ts'

/** Width of the pages next to their text, in pixels at the normal text size; saved, the same for all documents. */
export function usePagesWidth() {
  const settings = useSettings()
  const width = ref(settings.settings?.pagesWidth ?? 520)
  watch(
    () => settings.settings?.pagesWidth,
    (wide) => (width.value = wide ?? width.value),
  )
  return { width, keep: (wide: number) => void settings.update({ pagesWidth: wide }) }
}
