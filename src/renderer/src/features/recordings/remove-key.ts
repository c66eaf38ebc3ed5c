import { isMac } from '../shell/platform.ts'

/** Whether a key press asks to remove what is shown: Delete, on a Mac Backspace too; held down it asks once. */
export function isRemoveKey(
  event: Pick<KeyboardEvent, 'key' | 'repeat' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  mac = isMac,
): boolean {
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  return event.key === 'Delete' || (mac && event.key === 'Backspace')
}
