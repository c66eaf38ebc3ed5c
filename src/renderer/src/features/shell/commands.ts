import { nextTick, onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import type { PageCommand } from '../../../../shared/bridge/events.ts'
import { importable } from '../../../../shared/importable.ts'
import { useClient } from '../../api/use-client.ts'
import { useIntake } from '../intake/store.ts'
import { useToasts } from '../../ui/toasts.ts'
import { openQuick } from '../chats/quick/open-quick.ts'
import { newChatPath } from '../chats/views/new-chat.ts'
import { useChatSide } from '../chats/views/side.ts'
import { useSettings } from '../settings/store.ts'
import { places } from './places.ts'
import { isCommand, isTyping } from './platform.ts'
import { useShell } from './store.ts'

/** Everything a shortcut, a menu or the palette can ask of the frame. */
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

/** Shortcuts that work everywhere, by `event.key` in lower case. */
const shortcuts: Readonly<Record<string, Command>> = {
  k: 'palette',
  o: 'import',
  f: 'search',
  ',': 'settings',
  '.': 'toggle-inspector',
  '\\': 'toggle-list',
  ...Object.fromEntries(places.map((place, at) => [at + 1, place])),
}

/** Kinds of files the file dialog offers. */
const accept = [
  ...Object.values(importable).flatMap((names) => names.map((name) => `.${name}`)),
  'application/pdf,image/png,image/jpeg,audio/*,video/mp4,video/quicktime,video/webm',
].join(',')

/** Runs the frame's commands. */
export function useCommands() {
  const router = useRouter()
  const shell = useShell()
  const settings = useSettings()
  const intake = useIntake()
  const side = useChatSide()
  const client = useClient()

  const chooseFiles = (): void => {
    if (shell.readOnly) return
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.accept = accept
    input.dataset['testid'] = 'import-input'
    input.hidden = true
    input.onchange = () => {
      intake.take(input.files ?? [])
      input.remove()
    }
    input.oncancel = () => input.remove()
    document.body.append(input)
    input.click()
  }
  const focusSearch = async (place = '/library'): Promise<void> => {
    shell.showList()
    // A field that is not shown yet takes no focus.
    await nextTick()
    const find = (): HTMLInputElement | null => document.querySelector('input[data-search]')
    if (!find()) await router.push(place)
    // The view may still be on its way: its field takes the focus once it is there.
    for (let tries = 0; tries < 20 && !find(); tries++)
      await new Promise((resolve) => setTimeout(resolve, 25))
    find()?.focus()
    find()?.select()
  }
  const searchChats = async (): Promise<void> => {
    // Other views have a search of their own.
    if (router.currentRoute.value.name !== 'chats') await router.push('/chats')
    await focusSearch('/chats')
  }
  const toggleInspector = (): void => {
    if (router.currentRoute.value.name === 'chats') {
      side.toggle()
      return
    }
    if (shell.narrow) {
      shell.inspectorOver = !shell.inspectorOver
      return
    }
    shell.inspectorOpen = !shell.inspectorOpen
    void settings.update({ inspectorOpen: shell.inspectorOpen })
  }
  const run = (command: Command): void => {
    switch (command) {
      case 'palette':
        shell.paletteOpen = !shell.paletteOpen
        break
      case 'import':
        chooseFiles()
        break
      case 'search':
        void focusSearch()
        break
      case 'toggle-inspector':
        toggleInspector()
        break
      case 'toggle-list':
        shell.toggleList()
        break
      case 'record':
        void router.push('/recordings?record')
        break
      case 'new-chat':
      case 'temporary-chat':
        void router.push(newChatPath(command === 'temporary-chat'))
        break
      case 'prompts':
        if (router.currentRoute.value.name !== 'chats') void router.push('/chats')
        side.prompts = true
        break
      case 'search-chats':
        void searchChats()
        break
      case 'quick':
        void openQuick(client, router, shell.info?.host)
        break
      case 'bin':
        void router.push('/library/bin')
        break
      case 'settings':
        void router.push('/settings')
        break
      // The recording listens for these itself, wherever the reader is.
      case 'record-start':
      case 'record-stop':
      case 'record-awake':
        break
      case 'accounts':
      case 'storage':
      case 'shortcuts':
        void router.push(`/settings/${command}`)
        break
      default:
        void router.push(`/${command}`)
    }
  }
  return { run }
}

/** Listens for shortcuts and for what main's menu asks; for the root component. */
export function useCommandSources(run: (command: Command) => void): void {
  const client = useClient()
  const toasts = useToasts()
  const onKey = (event: KeyboardEvent): void => {
    if (!isCommand(event) || event.shiftKey || event.isComposing) return
    // What is opened may have taken the keys for itself: it searches and undoes in its own words.
    if (event.defaultPrevented) return
    const key = event.key.toLowerCase()
    // In a field the letters are undone, everywhere else the deed that a toast still offers to undo.
    if (key === 'z' && !isTyping(event) && toasts.actNewest()) event.preventDefault()
    const command = shortcuts[key]
    if (!command) return
    event.preventDefault()
    run(command)
  }
  window.addEventListener('keydown', onKey)
  const off = client.onEvent((event) => {
    if (event.type === 'page.command') run(event.command)
  })
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKey)
    off()
  })
}
