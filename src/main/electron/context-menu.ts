import {
  BrowserWindow,
  clipboard,
  Menu,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron'
import { contextMenu, type ContextLine } from '../host-support/context-menu.ts'
import { spokenLanguage } from './language.ts'

/** Opens a context menu where a page was clicked that shows none itself. */
export function offerContextMenu(contents: WebContents, params: ContextMenuParams): void {
  const options = { platform: process.platform, language: spokenLanguage() }
  const lines = contextMenu(params, options)
  const window = BrowserWindow.fromWebContents(contents)
  if (lines.length === 0 || !window) return
  const item = (line: ContextLine): MenuItemConstructorOptions => {
    switch (line.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'role':
        return { role: line.role, label: line.label, enabled: line.enabled }
      case 'none':
        return { label: line.label, enabled: false }
      case 'replace':
        return { label: line.label, click: () => contents.replaceMisspelling(line.label) }
      case 'learn':
        return {
          label: line.label,
          click: () => void contents.session.addWordToSpellCheckerDictionary(line.word),
        }
      case 'look-up':
        return { label: line.label, click: () => contents.showDefinitionForSelection() }
      case 'copy-image':
        return { label: line.label, click: () => contents.copyImageAt(params.x, params.y) }
      case 'copy-link':
        return { label: line.label, click: () => void clipboard.writeText(line.url) }
    }
  }
  // With the frame, macOS adds its own items, such as Writing Tools and Services.
  const { frame } = params
  Menu.buildFromTemplate(lines.map(item)).popup({ window, ...(frame && { frame }) })
}
