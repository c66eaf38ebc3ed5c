import type { PageCommand } from '../../../shared/contract/events.ts'

/** Commands available to shortcuts, menus and the palette. */
export type Command =
  | PageCommand
  | 'record'
  | 'chats'
  | 'new-chat'
  | 'temporary-chat'
  | 'search-chats'
  | 'prompts'
  | 'quick'
  | 'recordings'
  | 'documents'
  | 'voices'
  | 'knowledge'
  | 'playground'
  | 'library'
  | 'bin'
  | 'activity'
  | 'accounts'
  | 'storage'
  | 'shortcuts'
