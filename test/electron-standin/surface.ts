import { command, reportEvent } from './control.ts'
import { ElectronEvent, StrictEmitter, strict } from './strict.ts'

/** A menu item as reported to the driver. */
export interface ShownItem {
  readonly label: string
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | undefined
  readonly enabled: boolean
  readonly checked: boolean
  readonly submenu: readonly ShownItem[]
}

/** `MenuItem` (`lib/browser/api/menu-item.ts`). */
export class MenuItem {
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | undefined
  readonly submenu: Menu | null
  readonly click: () => void
  readonly id: string | undefined
  label: string
  enabled: boolean
  visible: boolean
  checked: boolean

  constructor(options: Electron.MenuItemConstructorOptions) {
    this.role = options.role?.toLowerCase()
    this.type = options.type ?? (options.submenu ? 'submenu' : 'normal')
    this.accelerator = options.accelerator
    this.submenu = Array.isArray(options.submenu)
      ? Menu.buildFromTemplate(options.submenu)
      : ((options.submenu as unknown as Menu | undefined) ?? null)
    this.label = options.label ?? options.role ?? ''
    this.id = options.id
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.click = () => {
      reportEvent('menu-click', { label: this.label, role: this.role })
      if (this.role === undefined) options.click?.(this as never, undefined, {})
      else roles.get(this.role)?.()
    }
  }

  shown(): ShownItem {
    const { label, role, type, accelerator, enabled, checked } = this
    return {
      label,
      role,
      type,
      accelerator,
      enabled,
      checked,
      submenu: this.submenu?.shown() ?? [],
    }
  }
}

/**
 * Actions of menu item roles (`lib/browser/api/menu-item-roles.ts`); registered by the modules that implement them.
 */
export const roles = new Map<string, () => void>()

let applicationMenu: Menu | null = null
let popup: Menu | null = null
const setPopup = (menu: Menu): void => {
  popup = menu
}

/** `Menu` (`lib/browser/api/menu.ts`). */
export class Menu extends StrictEmitter {
  readonly items: MenuItem[] = []

  static buildFromTemplate(
    template: readonly (Electron.MenuItemConstructorOptions | MenuItem)[],
  ): Menu {
    if (!Array.isArray(template))
      throw new TypeError('Invalid template for Menu: Menu template must be an array')
    const menu = new Menu()
    for (const item of template) {
      if (
        !(item instanceof MenuItem) &&
        item.role === undefined &&
        item.label === undefined &&
        item.type === undefined &&
        item.submenu === undefined
      )
        throw new TypeError(
          'Invalid template for MenuItem: must have at least one of label, role or type',
        )
      menu.append(
        item instanceof MenuItem ? item : new MenuItem(item as Electron.MenuItemConstructorOptions),
      )
    }
    return menu
  }
  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu
    reportEvent('menu', menu?.shown() ?? null)
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu
  }

  append(item: MenuItem): void {
    this.items.push(item)
  }
  popup(_options?: Electron.PopupOptions): void {
    setPopup(this)
    reportEvent('popup', this.shown())
  }
  closePopup(): void {
    popup = null
  }
  getMenuItemById(id: string): MenuItem | null {
    return this.items.find((item) => item.id === id) ?? null
  }
  shown(): readonly ShownItem[] {
    return this.items.filter((item) => item.visible).map((item) => item.shown())
  }
}

/** Clicks the item at this path of labels (or roles). */
function click(menu: Menu | null, path: readonly string[]): void {
  const [first, ...rest] = path
  const item = menu?.items.find(
    (each) =>
      each.label === first || (each.role !== undefined && each.role === first?.toLowerCase()),
  )
  if (!item) throw new Error(`The menu has no ${path.join(' > ')}`)
  if (rest.length > 0) click(item.submenu, rest)
  else item.click()
}
command('menu', () => applicationMenu?.shown() ?? null)
command('menu.click', (...path: string[]) => click(applicationMenu, path))
command('popup', () => popup?.shown() ?? null)
command('popup.click', (...path: string[]) => click(popup, path))

const trays: Tray[] = []

/** `Tray`. */
export class Tray extends StrictEmitter {
  tooltip = ''
  title = ''
  menu: Menu | null = null
  constructor(_image: unknown) {
    super()
    trays.push(this)
  }
  setImage(_image: unknown): void {
    reportEvent('tray-image', {})
  }
  setPressedImage(_image: unknown): void {}
  setToolTip(tooltip: string): void {
    this.tooltip = tooltip
    reportEvent('tray-tooltip', { tooltip })
  }
  setTitle(title: string): void {
    this.title = title
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu
    reportEvent('tray-menu', menu?.shown() ?? null)
  }
  setIgnoreDoubleClickEvents(_ignore: boolean): void {}
  popUpContextMenu(menu?: Menu): void {
    reportEvent('popup', (menu ?? this.menu)?.shown() ?? null)
  }
  isDestroyed(): boolean {
    return !trays.includes(this)
  }
  destroy(): void {
    trays.splice(trays.indexOf(this), 1)
  }
}
command('tray', () =>
  trays.map(({ tooltip, title, menu }) => ({ tooltip, title, menu: menu?.shown() ?? null })),
)
command('tray.click', (...path: string[]) => {
  if (path.length > 0) return click(trays[0]?.menu ?? null, path)
  return void trays[0]?.emit(
    'click',
    new ElectronEvent(),
    { x: 0, y: 0, width: 16, height: 16 },
    { x: 0, y: 0 },
  )
})

/** `nativeImage`: only sizes, since nothing is drawn here. */
export const nativeImage = strict({
  createEmpty: () => image({ width: 0, height: 0 }),
  createFromBitmap(
    pixels: Buffer,
    options: { width: number; height: number; scaleFactor?: number },
  ) {
    // `electron_api_native_image.cc`
    if (pixels.byteLength < options.width * options.height * 4)
      throw new Error('invalid buffer size')
    const scale = options.scaleFactor ?? 1
    return image({ width: options.width / scale, height: options.height / scale })
  },
  createFromBuffer: (_bytes: Buffer) => image({ width: 32, height: 32 }),
  createFromPath: (_path: string) => image({ width: 32, height: 32 }),
  createFromDataURL: (_url: string) => image({ width: 32, height: 32 }),
  createFromNamedImage: (_name: string) => image({ width: 16, height: 16 }),
  createThumbnailFromPath: async (_path: string, size: Electron.Size) => image(size),
})

function image(size: Electron.Size): object {
  let template = false
  const made: object = strict({
    getSize: () => size,
    isEmpty: () => size.width === 0,
    setTemplateImage: (flag: boolean) => void (template = flag),
    isTemplateImage: () => template,
    resize: (to: Partial<Electron.Size>) => image({ ...size, ...to }),
    addRepresentation: (_options: object) => {},
    toPNG: () => Buffer.alloc(0),
  })
  return made
}

const notices: Notification[] = []

/** `Notification` of the main process. */
export class Notification extends StrictEmitter {
  readonly options: Electron.NotificationConstructorOptions
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    this.options = options
    notices.push(this)
  }
  static isSupported(): boolean {
    return process.env['STANDIN_NO_NOTICES'] !== '1'
  }
  get title(): string {
    return this.options.title ?? ''
  }
  get body(): string {
    return this.options.body ?? ''
  }
  show(): void {
    const { title, body, silent, actions } = this.options
    reportEvent('notification', { title, body, silent, actions })
    setImmediate(() => this.emit('show', new ElectronEvent()))
  }
  close(): void {
    this.emit('close', new ElectronEvent())
  }
}
command(
  'notification.click',
  (index = -1) => void notices.at(index)?.emit('click', new ElectronEvent()),
)
