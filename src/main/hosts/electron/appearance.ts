import {
  nativeTheme,
  type BrowserWindow,
  Menu,
  shell,
  type BaseWindow,
  type MenuItemConstructorOptions,
} from 'electron'
import type { Settings } from '../../../shared/contract/settings.ts'
import type { App, PageConnection } from '../../host.ts'
import type { Language } from '../../../shared/language.ts'
import { windowBackground } from '../../platform/security/window-options.ts'
import { speakLanguage } from './language.ts'
import { checkSpelling } from './spelling.ts'
import { background } from './window.ts'
import type { AppWindows } from './windows.ts'
import type { PageCommand } from '../../../shared/contract/events.ts'
import { menuBar, type MenuLine } from '../support/menu.ts'

/** Applies theme, menu and window color from the settings, now and whenever they change. */
export async function followSettings(parts: {
  readonly app: App
  readonly id: string
  readonly home: string
  readonly devTools: boolean
  /** Path of the log. */
  readonly log: string
  readonly windows: AppWindows
  /** Called when the user requests an import in this window; null when there is none. */
  readonly onImport: (window: BrowserWindow | null) => void
  /** Called with the language of menus, now and whenever it changes. */
  readonly onLanguage: (language: Language) => void
}): Promise<PageConnection> {
  const load = async (): Promise<void> => {
    const reply = await parts.app.request(connection, 'settings.get', {})
    if (reply.ok) apply(reply.data as Settings)
  }
  const apply = ({ theme, language }: Settings): void => {
    nativeTheme.themeSource = theme
    const spoken = speakLanguage(parts.home, language)
    checkSpelling(spoken)
    parts.onLanguage(spoken)
    showMenu(
      { language: spoken, devTools: parts.devTools, log: parts.log },
      {
        onCommand(command, from, byKey) {
          // Keys pressed in the quick window are meant for it, and it supports none of these commands.
          const window = parts.windows.all().find((each) => each === from) ?? null
          if (byKey && from !== undefined && !window) return
          if (command === 'import') return parts.onImport(window ?? parts.windows.current())
          parts.windows.deliver({ type: 'page.command', command }, from)
        },
        onNewWindow: () => parts.windows.open(),
      },
    )
  }
  const connection: PageConnection = {
    id: parts.id,
    push: ({ event }) => {
      if (!('type' in event) || event.type !== 'settings.changed') return
      if (event.settings) apply(event.settings)
      else void load()
    },
  }
  nativeTheme.on('updated', () => {
    for (const window of parts.windows.all())
      window.setBackgroundColor(windowBackground[background()])
  })
  parts.app.connect(connection)
  await load()
  return connection
}

/** Actions of the menu bar. */
interface MenuActions {
  /** Handles a command for a page, with the window it was given in and whether it was given by a shortcut. */
  onCommand(command: PageCommand, from: BaseWindow | undefined, byKey: boolean): void
  onNewWindow(): void
}

function showMenu(
  options: { readonly language: Language; readonly devTools: boolean; readonly log: string },
  { onCommand, onNewWindow }: MenuActions,
): void {
  const item = (line: MenuLine): MenuItemConstructorOptions => {
    if (line.kind === 'separator') return { type: 'separator' }
    if (line.kind === 'role')
      return { role: line.role, ...(line.label !== undefined && { label: line.label }) }
    if (line.kind === 'recent')
      return {
        role: 'recentDocuments',
        label: line.label,
        submenu: [{ role: 'clearRecentDocuments', label: line.clear }],
      }
    if (line.kind === 'logs')
      return { label: line.label, click: () => shell.showItemInFolder(options.log) }
    if (line.kind === 'new-window')
      return { label: line.label, accelerator: line.accelerator, click: () => onNewWindow() }
    const { label, accelerator, command } = line
    const click: MenuItemConstructorOptions['click'] = (_item, from, { triggeredByAccelerator }) =>
      onCommand(command, from, triggeredByAccelerator === true)
    return { label, ...(accelerator !== undefined && { accelerator }), click }
  }
  const bar = menuBar({ platform: process.platform, ...options })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      bar.map(({ label, role, lines }) => ({
        label,
        ...(role && { role }),
        submenu: lines.map((line) => item(line)),
      })),
    ),
  )
}
