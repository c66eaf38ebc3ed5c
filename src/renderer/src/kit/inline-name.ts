import { nextTick, ref, type Ref } from 'vue'

/**
 * A name that can be edited in place: Enter or leaving the field saves changes, Escape discards them. `field` and
 * `button` are the elements of the template, for the focus.
 */
export function useInlineName(
  name: () => string,
  rename: (name: string) => void,
  {
    field,
    button,
  }: {
    readonly field: Readonly<Ref<HTMLInputElement | null>>
    readonly button: Readonly<Ref<HTMLButtonElement | null>>
  },
) {
  const typed = ref<string | null>(null)

  const edit = async (): Promise<void> => {
    typed.value = name()
    await nextTick()
    field.value?.focus()
    field.value?.select()
  }
  const commit = (): void => {
    const text = typed.value?.trim()
    typed.value = null
    if (text !== undefined && text !== name()) rename(text)
  }
  const onFieldKey = async (event: KeyboardEvent): Promise<void> => {
    if (event.isComposing || event.keyCode === 229) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') commit()
    typed.value = null
    await nextTick()
    button.value?.focus()
  }
  return { typed, edit, commit, onFieldKey }
}
