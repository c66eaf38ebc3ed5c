import { useToasts } from '../../../kit/toasts.ts'
import { useFindKeys, type FindKeys } from '../../../lib/find-keys.ts'
import { isCommand, isTyping } from '../../../lib/platform.ts'

/** Actions of the opened meeting's transcript shortcuts, wherever the focus is in it. */
export interface TranscriptKeys extends Pick<FindKeys, 'find' | 'step'> {
  undo(): void
  redo(): void
}

/** Handles search, undo and redo in the opened meeting; fields keep their own undo. */
export function useTranscriptKeys(keys: TranscriptKeys): void {
  const toasts = useToasts()

  const other = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase()
    if (!isCommand(event) || isTyping(event) || (key !== 'z' && key !== 'y')) return false
    if (key === 'y' || event.shiftKey) {
      keys.redo()
      return true
    }
    // An undo offered by a toast is newer, and belongs elsewhere.
    if (toasts.toasts.some(({ action }) => action !== null)) return false
    keys.undo()
    return true
  }
  useFindKeys({ find: keys.find, step: keys.step, other })
}
