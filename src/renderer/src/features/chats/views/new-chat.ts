import { shortcutText } from '../../shell/platform.ts'

/**
 * Keys of a new conversation as they are written for the reader. A browser keeps Ctrl+N for itself: there Ctrl+Shift+O does it, which works
 * in the app too.
 */
export const newChatKeys = (host: 'electron' | 'loopback' | undefined): string =>
  shortcutText(host === 'loopback' ? 'mod+shift+o' : 'mod+n')

/** The address where a conversation is begun; a temporary one is in no list and goes when it is left. */
export const newChatPath = (temporary = false): string =>
  temporary ? '/chats?new&temporary' : '/chats?new'
