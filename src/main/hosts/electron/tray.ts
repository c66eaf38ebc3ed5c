import {
  app,
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type MenuItemConstructorOptions,
} from 'electron'
import type { PageCommand } from '../../../shared/contract/events.ts'
import {
  recordingIcon,
  trayInk,
  type TrayLine,
  type TraySigns,
} from '../support/recording-indicator.ts'

/** Creates the tray's icon and menu. Returns a function that updates them. */
export function openTray(does: {
  ask(command: PageCommand): void
  show(): void
  open(): void
  quick(): void
}): (signs: TraySigns, live: boolean) => void {
  const tray = new Tray(icon(false))
  const item = (line: TrayLine): MenuItemConstructorOptions => {
    if (line.kind === 'separator') return { type: 'separator' }
    const { label } = line
    if (line.kind === 'record') return { label, click: () => does.ask(line.command) }
    const clicks = {
      show: () => does.show(),
      window: () => does.open(),
      quick: () => does.quick(),
      quit: () => app.quit(),
    }
    return { label, click: clicks[line.kind] }
  }
  let isLive = false
  nativeTheme.on('updated', () => tray.setImage(icon(isLive)))
  // macOS opens the menu automatically; elsewhere a click on the icon would do nothing.
  if (process.platform !== 'darwin') tray.on('click', () => does.show())
  return ({ tooltip, title, lines }, live) => {
    isLive = live
    tray.setImage(icon(live))
    tray.setToolTip(tooltip)
    if (process.platform === 'darwin') tray.setTitle(title)
    tray.setContextMenu(Menu.buildFromTemplate(lines.map((line) => item(line))))
    // The Dock already lists windows and Quit.
    const own = lines.filter(({ kind }) => ['record', 'window', 'quick'].includes(kind))
    app.dock?.setMenu(Menu.buildFromTemplate(own.map((line) => item(line))))
  }
}

/** Returns the icon, sharp on high-density screens too; macOS colors it automatically. */
function icon(live: boolean): Electron.NativeImage {
  const mac = process.platform === 'darwin'
  const ink = trayInk({
    platform: process.platform,
    dark: nativeTheme.shouldUseDarkColors,
    // Linux has no such member.
    darkBar: process.platform === 'win32' && nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
    desktop: process.env['XDG_CURRENT_DESKTOP'] ?? '',
  })
  const size = 32
  const pixels = recordingIcon({ size, live, ink, coloured: !mac })
  const image = nativeImage.createFromBitmap(pixels, { width: size, height: size, scaleFactor: 2 })
  image.setTemplateImage(mac)
  return image
}
