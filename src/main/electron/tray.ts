import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import type { PageCommand } from '../../shared/bridge/events.ts'
import { recordingIcon, type TrayLine, type TraySigns } from '../hosting/recording-signs.ts'
import { background } from './window.ts'

/** The tray's icon and menu. Returns the way to show other signs. */
export function openTray(does: {
  ask(command: PageCommand): void
  show(): void
  quick(): void
}): (signs: TraySigns, live: boolean) => void {
  const tray = new Tray(icon(false))
  const item = (line: TrayLine): MenuItemConstructorOptions => {
    if (line.kind === 'separator') return { type: 'separator' }
    const { label } = line
    if (line.kind === 'record') return { label, click: () => does.ask(line.command) }
    const clicks = { show: () => does.show(), quick: () => does.quick(), quit: () => app.quit() }
    return { label, click: clicks[line.kind] }
  }
  return ({ tooltip, title, lines }, live) => {
    tray.setImage(icon(live))
    tray.setToolTip(tooltip)
    if (process.platform === 'darwin') tray.setTitle(title)
    tray.setContextMenu(Menu.buildFromTemplate(lines.map((line) => item(line))))
  }
}

/** The drawn icon, sharp on dense screens too; macOS colours it by itself. */
function icon(live: boolean): Electron.NativeImage {
  const mac = process.platform === 'darwin'
  const ink = !mac && background() === 'dark' ? 255 : 40
  const size = 32
  const pixels = recordingIcon({ size, live, ink: mac ? 0 : ink, coloured: !mac })
  const image = nativeImage.createFromBitmap(pixels, { width: size, height: size, scaleFactor: 2 })
  image.setTemplateImage(mac)
  return image
}
