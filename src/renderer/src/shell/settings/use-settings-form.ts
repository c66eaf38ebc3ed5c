import { reactive, watch } from 'vue'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { useSettings } from '../../lib/settings-store.ts'

/**
 * Fields of a form that are saved by a button. A field follows the setting stored by main until the user types into it:
 * typed values stay when something else changes, and when saving fails.
 */
export function useSettingsForm<F extends { [N in keyof Settings]?: Settings[N] | null }>(
  start: F,
): F {
  const store = useSettings()
  const followed: Record<string, unknown> = { ...start }
  const form = reactive<Record<string, unknown>>({ ...start })
  watch(
    () => store.saved,
    (now) => {
      for (const name of Object.keys(start) as (keyof Settings)[]) {
        const untouched = form[name] === followed[name] || form[name] === now?.[name]
        if (now && untouched) followed[name] = form[name] = now[name]
      }
    },
    { immediate: true, flush: 'sync' },
  )
  return form as F
}
