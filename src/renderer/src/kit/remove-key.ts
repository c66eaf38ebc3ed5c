import { isMac } from '../lib/platform.ts'

/** Whether a key press means to remove the shown item: Delete, on a Mac also Backspace; ignores key repeat. */
export function isRemoveKey(
  event: Pick<KeyboardEvent, 'key' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  mac = isMac,
): boolean {
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  return event.key === 'Delete' || (mac && event.key === 'Backspace')
}
