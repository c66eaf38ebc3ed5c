import { nextTick, onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { importable } from '../../../shared/importable.ts'
import { useClient } from '../lib/bridge/use-client.ts'
import { useIntake } from '../domains/library/intake/intake-store.ts'
import { useToasts } from '../kit/toasts.ts'
import { openQuick } from '../domains/chats/quick/open-quick.ts'
import { newChatPath } from '../domains/chats/views/new-chat.ts'
import { useChatSide } from '../domains/chats/views/side.ts'
import { useSettings } from '../lib/settings-store.ts'
import { developerPlaces, places } from '../lib/places.ts'
import { isCommand, isTyping } from '../lib/platform.ts'
import { useShell } from '../lib/app-store.ts'
import type { Command } from '../lib/command.ts'
import { useCapture } from '../domains/audio/recorder/recorder-store.ts'

/** Global shortcuts within the app, by `event.key` in lower case. */
const shortcuts: Readonly<Record<string, Command>> = {
  k: 'palette',
  o: 'import',
  f: 'search',
  ',': 'settings',
  '.': 'toggle-inspector',
  '\\': 'toggle-list',
  ...Object.fromEntries([...places, ...developerPlaces].map((place, at) => [at + 1, place])),
}

const isDeveloperCommand = (command: Command): boolean =>
  developerPlaces.some((place) => place === command)

/** File types offered in the file dialog. */
const accept = [
  ...Object.values(importable).flatMap((names) => names.map((name) => `.${name}`)),
  'application/pdf,image/png,image/jpeg,audio/*,video/mp4,video/quicktime,video/webm',
].join(',')

/** Runs the app's commands. */
export function useCommands() {
  const router = useRouter()
  const shell = useShell()
  const settings = useSettings()
  const intake = useIntake()
  const side = useChatSide()
  const client = useClient()
  const capture = useCapture()

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
    // Until then there is no view, and what was requested would be replaced.
    await router.isReady()
    shell.showList()
    // A hidden field cannot get the focus.
    await nextTick()
    const find = (): HTMLInputElement | null => document.querySelector('input[data-search]')
    if (!find()) await router.push(place)
    // The view may still be loading: its field gets the focus once it exists.
    for (let tries = 0; tries < 20 && !find(); tries++)
      await new Promise((resolve) => setTimeout(resolve, 25))
    find()?.focus()
    find()?.select()
  }
  const searchChats = async (): Promise<void> => {
    await router.isReady()
    // Other views have their own search.
    if (router.currentRoute.value.name !== 'chats') await router.push('/chats')
    await focusSearch('/chats')
  }
  const toggleInspector = async (): Promise<void> => {
    await router.isReady()
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
  const showPrompts = async (): Promise<void> => {
    await router.isReady()
    if (router.currentRoute.value.name !== 'chats') await router.push('/chats')
    side.prompts = true
  }
  /** Records at once with the sources used last. They are chosen first if there are none yet, or if they can't be opened. */
  const record = async (): Promise<void> => {
    if (shell.readOnly || ['opening', 'starting'].includes(capture.state.phase)) return
    const running = capture.state.meetingId
    const ready = capture.preferences.used || capture.startCard !== null
    const id = running ?? (ready ? await capture.beginNow() : null)
    await router.push(id === null ? '/meetings?record' : `/meetings/${id}`)
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
        void toggleInspector()
        break
      case 'toggle-list':
        shell.toggleList()
        break
      case 'record':
        void record()
        break
      case 'new-chat':
      case 'temporary-chat':
        void router.push(newChatPath(command === 'temporary-chat'))
        break
      case 'prompts':
        void showPrompts()
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
      case 'developer':
        void settings.update({ developer: !settings.settings?.developer })
        break
      // The recorder handles these itself, in every view.
      case 'record-start':
      case 'record-stop':
      case 'record-awake':
        break
      case 'add-account':
        void router.push({ path: '/settings/accounts', query: { add: '' } })
        break
      case 'accounts':
      case 'storage':
      case 'shortcuts':
        void router.push(`/settings/${command}`)
        break
      case 'knowledge':
        void router.push('/knowledge')
        break
      default:
        void router.push(shell.pathOf(command, router.currentRoute.value.name))
    }
  }
  return { run }
}

/** Handles shortcuts and commands of main's menu; for the root component. */
export function useCommandSources(run: (command: Command) => void): void {
  const client = useClient()
  const toasts = useToasts()
  const settings = useSettings()
  const onKey = (event: KeyboardEvent): void => {
    if (!isCommand(event) || event.shiftKey || event.isComposing) return
    // The opened view may have handled the keys: it has its own search and undo.
    if (event.defaultPrevented) return
    const key = event.key.toLowerCase()
    // In a field this undoes typing, everywhere else the action whose toast still offers Undo.
    if (key === 'z' && !isTyping(event) && toasts.actNewest()) event.preventDefault()
    const command = shortcuts[key]
    if (!command || (isDeveloperCommand(command) && !settings.settings?.developer)) return
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

/**
 * Starts and stops recordings from anywhere: by key, tray or the system-wide shortcut. For the root component. `show` opens a
 * recording by its ID; null opens the start card, where refusals are shown.
 */
export function useCaptureCommands(
  show: (id: string | null) => void,
  allowed: () => boolean,
): void {
  const client = useClient()
  const capture = useCapture()

  const start = async (): Promise<void> => {
    if (capture.live || ['opening', 'starting'].includes(capture.state.phase) || !allowed()) return
    show(await capture.beginNow())
  }
  const onKey = (event: KeyboardEvent): void => {
    if (!isCommand(event) || !event.shiftKey || event.repeat || event.key.toLowerCase() !== 'r')
      return
    event.preventDefault()
    if (capture.live) capture.stop()
    else void start()
  }
  window.addEventListener('keydown', onKey)
  const off = client.onEvent((event) => {
    if (event.type !== 'page.command') return
    if (event.command === 'record-start') void start()
    if (event.command === 'record-stop') capture.stop()
  })
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKey)
    off()
  })
}
