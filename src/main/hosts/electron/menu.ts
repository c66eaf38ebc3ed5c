import { Menu, shell, type BaseWindow, type MenuItemConstructorOptions } from 'electron'
import type { PageCommand } from '../../../shared/contract/events.ts'
import { menuBar, type MenuLine } from '../support/menu.ts'
import type { Language } from '../support/language.ts'

/** Actions of the menu bar. */
export interface MenuActions {
  /** Handles a command for a page, with the window it was given in and whether it was given by a shortcut. */
  onCommand(command: PageCommand, from: BaseWindow | undefined, byKey: boolean): void
  onNewWindow(): void
}

export function showMenu(
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
