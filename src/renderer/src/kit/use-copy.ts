import { onScopeDispose, ref } from 'vue'

/** Copies text and shows a confirmation for two seconds. */
export function useCopy() {
  const copied = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // The browser refused, for example without focus: nothing was copied, so no confirmation is shown.
      return
    }
    copied.value = true
    clearTimeout(timer)
    timer = setTimeout(() => (copied.value = false), 2000)
  }
  onScopeDispose(() => clearTimeout(timer))
  return { copied, copy }
}
