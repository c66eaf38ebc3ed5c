import { inject, type InjectionKey } from 'vue'
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

/** Runs a command; the root component provides it. */
export const commandKey: InjectionKey<(command: Command) => void> = Symbol('command')

/** Returns the function that runs commands. A part that is mounted alone, as in a test, has none: nothing happens. */
export const useCommand = (): ((command: Command) => void) => inject(commandKey, () => undefined)
