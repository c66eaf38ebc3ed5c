import { shortcutText } from '../../../lib/platform.ts'

/**
 * Returns the shortcut of a new chat as shown to the user. Browsers reserve Ctrl+N: there it is Ctrl+Shift+O, which
 * works in the app too.
 */
export const newChatKeys = (host: 'electron' | 'loopback' | undefined): string =>
  shortcutText(host === 'loopback' ? 'mod+shift+o' : 'mod+n')

/** Returns the route of a new chat; a temporary one is in no list and is deleted when the user leaves it. */
export const newChatPath = (temporary = false): string =>
  temporary ? '/chats?new&temporary' : '/chats?new'
