import type { PageCommand } from '../../shared/bridge/events.ts'
import type { Language } from './language.ts'

/** Roles that the system knows how to do. */
export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'close'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'toggleDevTools'
  | 'minimize'
  | 'zoom'
  | 'front'

/** A line of a menu: a separator, something the system does, or a command for the page. */
export type MenuLine =
  | { readonly kind: 'separator' }
  | { readonly kind: 'role'; readonly role: MenuRole; readonly label?: string }
  | {
      readonly kind: 'command'
      readonly command: PageCommand
      readonly label: string
      readonly accelerator: string
    }

/** A menu of the bar. */
export interface MenuGroup {
  readonly label: string
  readonly lines: readonly MenuLine[]
}

const words = {
  en: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    import: 'Import Files…',
    settings: 'Settings…',
    palette: 'Command Palette…',
    search: 'Search the Library',
    list: 'Show or Hide the List',
    inspector: 'Show or Hide the Inspector',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    resetZoom: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fullscreen: 'Full Screen',
    devTools: 'Developer Tools',
    minimize: 'Minimize',
    close: 'Close Window',
    quit: 'Quit Lectern',
    about: 'About Lectern',
  },
  'zh-CN': {
    file: '文件',
    edit: '编辑',
    view: '显示',
    window: '窗口',
    import: '导入文件…',
    settings: '设置…',
    palette: '命令面板…',
    search: '搜索资料库',
    list: '显示或隐藏列表',
    inspector: '显示或隐藏检查器',
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    resetZoom: '实际大小',
    zoomIn: '放大',
    zoomOut: '缩小',
    fullscreen: '全屏',
    devTools: '开发者工具',
    minimize: '最小化',
    close: '关闭窗口',
    quit: '退出 Lectern',
    about: '关于 Lectern',
  },
} as const

const separator: MenuLine = { kind: 'separator' }

/** The menu bar as data. Editing entries are there on every system: macOS has no shortcuts for them without. */
export function menuBar(options: {
  readonly platform: string
  readonly language: Language
  readonly devTools: boolean
}): readonly MenuGroup[] {
  const w = words[options.language]
  const mac = options.platform === 'darwin'
  const role = (name: MenuRole, label?: string): MenuLine => ({
    kind: 'role',
    role: name,
    ...(label !== undefined && { label }),
  })
  const command = (name: PageCommand, label: string, accelerator: string): MenuLine => ({
    kind: 'command',
    command: name,
    label,
    accelerator,
  })
  const settings = command('settings', w.settings, 'CmdOrCtrl+,')
  const application: MenuGroup = {
    label: 'Lectern',
    lines: [
      role('about', w.about),
      separator,
      settings,
      separator,
      role('services'),
      separator,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      separator,
      role('quit', w.quit),
    ],
  }
  return [
    ...(mac ? [application] : []),
    {
      label: w.file,
      lines: [
        command('import', w.import, 'CmdOrCtrl+O'),
        ...(mac
          ? [separator, role('close', w.close)]
          : [separator, settings, separator, role('quit', w.quit)]),
      ],
    },
    {
      label: w.edit,
      lines: [
        role('undo', w.undo),
        role('redo', w.redo),
        separator,
        role('cut', w.cut),
        role('copy', w.copy),
        role('paste', w.paste),
        role('selectAll', w.selectAll),
        separator,
        command('search', w.search, 'CmdOrCtrl+F'),
      ],
    },
    {
      label: w.view,
      lines: [
        command('palette', w.palette, 'CmdOrCtrl+K'),
        separator,
        command('toggle-list', w.list, 'CmdOrCtrl+\\'),
        command('toggle-inspector', w.inspector, 'CmdOrCtrl+.'),
        separator,
        role('resetZoom', w.resetZoom),
        role('zoomIn', w.zoomIn),
        role('zoomOut', w.zoomOut),
        role('togglefullscreen', w.fullscreen),
        ...(options.devTools ? [separator, role('toggleDevTools', w.devTools)] : []),
      ],
    },
    {
      label: w.window,
      lines: [
        role('minimize', w.minimize),
        ...(mac ? [role('zoom'), separator, role('front')] : []),
      ],
    },
  ]
}
