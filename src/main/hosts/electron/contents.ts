import {
  app,
  BrowserWindow,
  clipboard,
  Menu,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron'
import { contextMenu, type ContextLine } from '../support/context-menu.ts'
import {
  checkedEvents,
  mayNavigate,
  preventedEvents,
  windowOpen,
} from '../../platform/security/navigation.ts'
import { webRtcPolicy } from '../../platform/security/window-options.ts'
import { spokenLanguage } from './language.ts'
import { offerLink } from './shell.ts'

/** An event of web contents that can be prevented. */
interface Refusable {
  preventDefault(): void
  readonly url?: string
}

/** Locks down all web contents: no navigation, no new windows, no embedded ones. */
export function setupContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    const emitter: NodeJS.EventEmitter = contents
    for (const name of preventedEvents) {
      emitter.on(name, (event: Refusable) => event.preventDefault())
    }
    for (const name of checkedEvents) {
      emitter.on(name, (event: Refusable) => {
        if (!mayNavigate(event.url ?? '')) event.preventDefault()
      })
    }
    contents.setWindowOpenHandler(({ url }) => {
      const { action, link } = windowOpen(url)
      void offerLink(link)
      return { action }
    })
    contents.setWebRTCIPHandlingPolicy(webRtcPolicy)
    contents.on('context-menu', (_opened, params) => offerContextMenu(contents, params))
  })
}

/** Opens a context menu where a page was clicked that shows none itself. */
function offerContextMenu(contents: WebContents, params: ContextMenuParams): void {
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
