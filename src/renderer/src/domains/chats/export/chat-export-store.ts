import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'

/** Maximum number of chats in one export. */
export const maxExported = 200

/** Store of the open chat panel: export dialog, print view, or token usage. */
export const useChatExport = defineStore('chat-outside', () => {
  const exporting = shallowRef<readonly string[]>([])
  const printing = ref<{
    readonly id: string
    steps: boolean
    /** Whether the print dialog opens at once, as after an export. */
    readonly asksAtOnce: boolean
  } | null>(null)
  const usage = ref<string | null>(null)

  const close = (): void => {
    exporting.value = []
    printing.value = null
    usage.value = null
  }
  /** Opens the export dialog for these chats; several are exported as an archive. */
  const askExport = (ids: readonly string[]): void => {
    close()
    exporting.value = ids
  }
  /** Opens the print view of a whole chat. */
  const print = (id: string, { steps = false, asksAtOnce = false } = {}): void => {
    close()
    printing.value = { id, steps, asksAtOnce }
  }
  const showUsage = (id: string): void => {
    close()
    usage.value = id
  }
  return { exporting, printing, usage, askExport, print, showUsage, close }
})
