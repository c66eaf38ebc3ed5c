import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue'
import { useShell } from '../shell/store.ts'

const key: InjectionKey<ComputedRef<boolean>> = Symbol('fixed')

/** Tells everything inside whether the meeting may be changed: one that lies in the bin is only looked at. */
export function provideFixed(binned: () => boolean): ComputedRef<boolean> {
  const shell = useShell()
  const fixed = computed(() => shell.readOnly || binned())
  provide(key, fixed)
  return fixed
}

/** Whether the meeting is only looked at here. */
export function useFixed(): ComputedRef<boolean> {
  const shell = useShell()
  return inject(key, () => computed(() => shell.readOnly), true)
}
