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
  | 'meetings'
  | 'documents'
  | 'voices'
  | 'knowledge'
  | 'playground'
  | 'library'
  | 'bin'
  | 'activity'
  | 'accounts'
  | 'add-account'
  | 'storage'
  | 'shortcuts'
  | 'developer'

/** Runs a command; the root component provides it. */
export const commandKey: InjectionKey<(command: Command) => void> = Symbol('command')

/** Returns the function that runs commands. */
export function useCommand(): (command: Command) => void {
  const run = inject(commandKey)
  if (!run) throw new Error('The root component provides no commands')
  return run
}
