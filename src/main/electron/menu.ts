import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { PageCommand } from '../../shared/bridge/events.ts'
import { menuBar, type MenuLine } from '../hosting/menu.ts'
import type { Language } from '../hosting/language.ts'

/** Shows the menu bar; its commands go to `send`. */
export function showMenu(
  options: { readonly language: Language; readonly devTools: boolean },
  send: (command: PageCommand) => void,
): void {
  const item = (line: MenuLine): MenuItemConstructorOptions => {
    if (line.kind === 'separator') return { type: 'separator' }
    if (line.kind === 'role')
      return { role: line.role, ...(line.label !== undefined && { label: line.label }) }
    const { label, accelerator, command } = line
    return { label, accelerator, click: () => send(command) }
  }
  const bar = menuBar({ platform: process.platform, ...options })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      bar.map(({ label, lines }) => ({ label, submenu: lines.map((line) => item(line)) })),
    ),
  )
}
