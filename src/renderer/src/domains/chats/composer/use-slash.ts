import { computed, ref, watch } from 'vue'
import type { ChatPrompt } from '../../../../../shared/model/chat.ts'
import { slashEntries, slashQuery, type ChatCommand, type SlashEntry } from './slash.ts'

/** State and actions of the slash menu. */
interface SlashSources {
  text(): string
  prompts(): readonly ChatPrompt[]
  commands(): readonly { readonly command: ChatCommand; readonly label: string }[]
  take(entry: SlashEntry): void
}

type MenuPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

/** Slash menu: open while the query matches an entry, navigated by keyboard, closed by Escape until the slash is removed. */
export function useSlash({ text, prompts, commands, take }: SlashSources) {
  const caret = ref(0)
  const index = ref(0)
  const closed = ref(false)

  const query = computed(() => slashQuery(text(), Math.min(caret.value, text().length)))
  const entries = computed(() =>
    query.value === null || closed.value ? [] : slashEntries(query.value, prompts(), commands()),
  )
  const chosen = computed(() => entries.value[index.value] ?? null)
  watch(
    () => entries.value.map(({ key }) => key).join('\n'),
    () => (index.value = 0),
  )
  watch(
    () => text().startsWith('/'),
    (asks) => {
      if (!asks) closed.value = false
    },
  )
  /** Handles a key in the open menu; returns whether it was handled. */
  const press = ({ key, shiftKey, ctrlKey, metaKey }: MenuPress): boolean => {
    const count = entries.value.length
    if (count === 0) return false
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      index.value = (index.value + (key === 'ArrowDown' ? 1 : -1) + count) % count
      return true
    }
    if (key === 'Escape') {
      closed.value = true
      return true
    }
    // With Shift or the command key they belong to the field.
    if ((key !== 'Enter' && key !== 'Tab') || shiftKey || ctrlKey || metaKey) return false
    if (!chosen.value) return false
    take(chosen.value)
    return true
  }
  return { caret, index, entries, chosen, press }
}
