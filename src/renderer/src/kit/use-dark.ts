import { computed, onScopeDispose, ref, type ComputedRef } from 'vue'
import { useSettings } from '../lib/settings-store.ts'

/** Returns whether the page is dark: the user's choice, or the system setting if that is chosen. */
export function useDark(): ComputedRef<boolean> {
  const store = useSettings()
  const query = matchMedia('(prefers-color-scheme: dark)')
  const systemDark = ref(query.matches)
  const onChange = (event: MediaQueryListEvent): void => void (systemDark.value = event.matches)
  query.addEventListener('change', onChange)
  onScopeDispose(() => query.removeEventListener('change', onChange))
  return computed(() => {
    const theme = store.settings?.theme ?? 'system'
    return theme === 'system' ? systemDark.value : theme === 'dark'
  })
}
