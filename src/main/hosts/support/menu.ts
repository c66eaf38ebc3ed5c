import type { PageCommand } from '../../../shared/contract/events.ts'
import type { Language } from '../../../shared/language.ts'

/** Menu roles that the system implements. */
type MenuRole =
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
  | 'reload'
  | 'toggleDevTools'
  | 'minimize'
  | 'zoom'
  | 'front'

/** An entry of a menu: a separator, a system role, or a command for the page. */
export type MenuLine =
  | { readonly kind: 'separator' }
  | { readonly kind: 'role'; readonly role: MenuRole; readonly label?: string }
  | {
      readonly kind: 'command'
      readonly command: PageCommand
      readonly label: string
      readonly accelerator?: string
    }
  /** Recently opened files; macOS lists them itself. */
  | { readonly kind: 'recent'; readonly label: string; readonly clear: string }
  | { readonly kind: 'new-window'; readonly label: string; readonly accelerator: string }
  /** Shows the logs in the file manager. */
  | { readonly kind: 'logs'; readonly label: string }

/** A menu of the menu bar. */
interface MenuGroup {
  readonly label: string
  /** System role of the menu itself: macOS adds a search field to the help menu. */
  readonly role?: 'help'
  readonly lines: readonly MenuLine[]
}

const words = {
  en: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    newWindow: 'New Window',
    import: 'Import Files…',
    settings: 'Settings…',
    palette: 'Command Palette…',
    search: 'Search Library',
    list: 'Show or Hide List',
    inspector: 'Show or Hide Details Panel',
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
    help: 'Help',
    reload: 'Reload',
    recent: 'Open Recent',
    clearRecent: 'Clear Menu',
    shortcuts: 'Keyboard Shortcuts',
    logs: 'Show Logs',
    quit: 'Quit Lectern',
    about: 'About Lectern',
    services: 'Services',
    hide: 'Hide Lectern',
    hideOthers: 'Hide Others',
    unhide: 'Show All',
    zoom: 'Zoom',
    front: 'Bring All to Front',
  },
  'zh-CN': {
    file: '文件',
    edit: '编辑',
    view: '显示',
    window: '窗口',
    newWindow: '新建窗口',
    import: '导入文件…',
    settings: '设置…',
    palette: '命令面板…',
    search: '搜索资料库',
    list: '显示或隐藏列表',
    inspector: '显示或隐藏详情栏',
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
    help: '帮助',
    reload: '重新加载',
    recent: '打开最近使用',
    clearRecent: '清除菜单',
    shortcuts: '键盘快捷键',
    logs: '显示日志',
    quit: '退出 Lectern',
    about: '关于 Lectern',
    services: '服务',
    hide: '隐藏 Lectern',
    hideOthers: '隐藏其他',
    unhide: '全部显示',
    zoom: '缩放',
    front: '前置全部窗口',
  },
} as const

const separator: MenuLine = { kind: 'separator' }

/**
 * Returns the menu bar as data. Editing entries exist on every system: without them, macOS has no shortcuts for editing.
 */
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
  const command = (name: PageCommand, label: string, accelerator?: string): MenuLine => ({
    kind: 'command',
    command: name,
    label,
    ...(accelerator !== undefined && { accelerator }),
  })
  const settings = command('settings', w.settings, 'CmdOrCtrl+,')
  const application: MenuGroup = {
    label: 'Lectern',
    lines: [
      role('about', w.about),
      separator,
      settings,
      separator,
      role('services', w.services),
      separator,
      role('hide', w.hide),
      role('hideOthers', w.hideOthers),
      role('unhide', w.unhide),
      separator,
      role('quit', w.quit),
    ],
  }
  return [
    ...(mac ? [application] : []),
    {
      label: w.file,
      lines: [
        { kind: 'new-window', label: w.newWindow, accelerator: 'CmdOrCtrl+Shift+N' },
        command('import', w.import, 'CmdOrCtrl+O'),
        ...(mac
          ? [
              { kind: 'recent', label: w.recent, clear: w.clearRecent } as const,
              separator,
              role('close', w.close),
            ]
          : [separator, settings, separator, role('close', w.close), role('quit', w.quit)]),
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
        separator,
        // A recording page asks for confirmation before it reloads.
        role('reload', w.reload),
        ...(options.devTools ? [separator, role('toggleDevTools', w.devTools)] : []),
      ],
    },
    {
      label: w.window,
      lines: [
        role('minimize', w.minimize),
        ...(mac ? [role('zoom', w.zoom), separator, role('front', w.front)] : []),
      ],
    },
    {
      label: w.help,
      role: 'help',
      lines: [
        command('shortcuts', w.shortcuts),
        { kind: 'logs', label: w.logs },
        ...(mac ? [] : [separator, role('about', w.about)]),
      ],
    },
  ]
}
