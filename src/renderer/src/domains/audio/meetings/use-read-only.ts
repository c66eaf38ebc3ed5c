import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue'
import { useShell } from '../../../lib/app-store.ts'

const key: InjectionKey<ComputedRef<boolean>> = Symbol('fixed')

/** Provides to all children whether the meeting can be changed: one in Trash is read-only. */
export function provideFixed(binned: () => boolean): ComputedRef<boolean> {
  const shell = useShell()
  const fixed = computed(() => shell.readOnly || binned())
  provide(key, fixed)
  return fixed
}

/** Whether the meeting is read-only here. */
export function useFixed(): ComputedRef<boolean> {
  const shell = useShell()
  return inject(key, () => computed(() => shell.readOnly), true)
}
