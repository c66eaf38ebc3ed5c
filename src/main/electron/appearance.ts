import { app, nativeTheme } from 'electron'
import type { Settings } from '../../shared/model/settings.ts'
import type { App, PageConnection } from '../host.ts'
import { languageOf, type Language } from '../hosting/language.ts'
import { windowBackground } from '../security/window-options.ts'
import type { MainWindow } from './main-window.ts'
import { showMenu } from './menu.ts'
import { background } from './window.ts'

/** Keeps theme, menu and window colour as the settings say, now and whenever they change. */
export async function followSettings(parts: {
  readonly app: App
  readonly id: string
  readonly devTools: boolean
  readonly window: MainWindow
  /** The language of menus, now and whenever it changes. */
  readonly onLanguage: (language: Language) => void
}): Promise<PageConnection> {
  const apply = async (): Promise<void> => {
    const reply = await parts.app.request(connection, 'settings.get', {})
    if (!reply.ok) return
    const { theme, language } = reply.data as Settings
    nativeTheme.themeSource = theme
    const spoken = languageOf(language, app.getLocale())
    parts.onLanguage(spoken)
    showMenu({ language: spoken, devTools: parts.devTools }, (command) =>
      parts.window.push({ channel: 'app', event: { type: 'page.command', command } }),
    )
  }
  const connection: PageConnection = {
    id: parts.id,
    push: ({ event }) => {
      if ('type' in event && event.type === 'settings.changed') void apply()
    },
  }
  nativeTheme.on('updated', () =>
    parts.window.current()?.setBackgroundColor(windowBackground[background()]),
  )
  parts.app.connect(connection)
  await apply()
  return connection
}
