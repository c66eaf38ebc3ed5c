import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ElectronDeps } from '../../../../src/main/hosts/electron/deps.ts'
import { printPdf } from '../../../../src/main/hosts/electron/print.ts'
import { openWindows } from '../../../../src/main/hosts/electron/windows.ts'
import { setupQuickWindow } from '../../../../src/main/hosts/electron/quick-window.ts'
import { createMarks } from '../../../../src/main/hosts/support/startup-marks.ts'
import { webPreferences } from '../../../../src/main/platform/security/window-options.ts'
import { notedApp } from '../loopback/fixture.ts'
import { coreOver, createTestDeps } from './quick-deps.ts'
import * as electron from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))

const { autoUpdater, BrowserWindow, calls, lastCall, order } = electron
const home = mkdtempSync(join(tmpdir(), 'lectern-quick-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const deps: ElectronDeps = createTestDeps(home)
const lectern = coreOver(notedApp())
const pushed: unknown[] = []
/** Listeners for when the last window was closed. */
const emptied = new Set<() => void>()
const main = {
  deliver(event: unknown): void {
    calls.push({ name: 'main.focus', args: [] })
    pushed.push(event)
  },
  onLastClosed: (listener: () => void) => void emptied.add(listener),
}
const last = (): InstanceType<typeof BrowserWindow> => {
  const window = BrowserWindow.all.at(-1)
  if (!window) throw new Error('no window')
  return window
}
const count = (name: string): number => order().filter((one) => one === name).length

beforeEach(() => {
  calls.length = 0
  pushed.length = 0
})

describe('the quick window', () => {
  test('is as hardened as the main one, always on top, and opened on first use', () => {
    const before = BrowserWindow.all.length
    const quick = setupQuickWindow(lectern, deps, main)
    expect(BrowserWindow.all).toHaveLength(before)
    quick.show()
    const { options, loaded } = last()
    expect(options['webPreferences']).toMatchObject({ ...webPreferences, devTools: deps.devTools })
    expect(options).toMatchObject({
      alwaysOnTop: true,
      frame: false,
      show: false,
      skipTaskbar: true,
    })
    expect(loaded).toEqual(['app://bundle/#/quick'])
    expect(count('window.show')).toBe(0)
    last().emit('ready-to-show')
    expect(order().slice(-3)).toEqual(['window.setBounds', 'window.show', 'window.focus'])
  })

  test('is hidden by its shortcut and when it is closed, but not destroyed', () => {
    const quick = setupQuickWindow(lectern, deps, main)
    const press = quick.toggle
    press()
    last().emit('ready-to-show')
    const windows = BrowserWindow.all.length
    press()
    expect(last().visible).toBe(false)
    press()
    expect(last().visible).toBe(true)
    const closing = { prevented: false, preventDefault: () => void (closing.prevented = true) }
    last().emit('close', closing)
    expect([closing.prevented, last().visible]).toEqual([true, false])
    expect(BrowserWindow.all).toHaveLength(windows)
  })

  test('is hidden at the request of its page, and reopens cleanly after a page closed itself', () => {
    const quick = setupQuickWindow(lectern, deps, main)
    quick.show()
    const first = last()
    first.emit('ready-to-show')
    quick.hide()
    expect([first.visible, first.destroyed]).toEqual([false, false])
    quick.show()
    expect(last()).toBe(first)
    expect(first.visible).toBe(true)
    // The effect of `window.close()` of a page: no event before.
    first.destroy()
    for (let at = 0; at < 3; at++) {
      quick.show()
      expect(last()).not.toBe(first)
      last().destroy()
    }
  })

  test('does not remove Lectern from the Dock', () => {
    setupQuickWindow(lectern, deps, main).show()
    expect(lastCall('window.setVisibleOnAllWorkspaces')).toEqual([
      true,
      { visibleOnFullScreen: true, skipTransformProcessType: true },
    ])
  })

  test('sends its conversation to the main window', () => {
    const quick = setupQuickWindow(lectern, deps, main)
    quick.show()
    last().emit('ready-to-show')
    quick.leave('talk')
    expect(last().visible).toBe(false)
    expect(count('main.focus')).toBe(1)
    expect(pushed).toEqual([{ type: 'page.open', conversationId: 'talk' }])
  })

  test('closes with the last window, and is recreated after a crash', () => {
    const quick = setupQuickWindow(lectern, deps, main)
    quick.show()
    const first = last()
    first.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(first.destroyed).toBe(true)
    quick.show()
    expect(last()).not.toBe(first)
    for (const listener of emptied) listener()
    expect(last().destroyed).toBe(true)
  })

  test('closes with a later main window when it was opened from the tray', () => {
    const lone = openWindows(lectern, deps, createMarks(), true)
    expect([lone.current(), lone.wasOpened()]).toEqual([null, false])
    const quick = setupQuickWindow(lectern, deps, lone)
    quick.show()
    const early = last()
    expect([early.destroyed, lone.wasOpened()]).toEqual([false, false])
    lone.focus()
    expect(lone.wasOpened()).toBe(true)
    last().destroy()
    expect([lone.current(), lone.wasOpened(), early.destroyed]).toEqual([null, true, true])
  })

  test('does not prevent the system from replacing the program', () => {
    setupQuickWindow(lectern, deps, main).show()
    const open = last()
    autoUpdater.emit('before-quit-for-update')
    expect(open.destroyed).toBe(true)
  })
})

describe('printing', () => {
  test('shows one page without a script in an isolated session', async () => {
    const path = join(home, 'page.html')
    writeFileSync(path, '<!doctype html><p>words</p>')
    const shut = electron.session.fromPartition('lectern-print')
    const seen: { page: string; status: number; passes: boolean[] } = {
      page: '',
      status: 0,
      passes: [],
    }
    const { loadURL } = BrowserWindow.prototype
    BrowserWindow.prototype.loadURL = async function load(url: string) {
      seen.page = (await shut.handler?.({ url })?.text()) ?? ''
      seen.status = shut.handler?.({ url: 'app://print/other' })?.status ?? 0
      for (const each of [url, 'https://evil.example/', 'app://bundle/', 'file:///etc/passwd'])
        shut.filter?.({ url: each }, ({ cancel }) => void seen.passes.push(!cancel))
    }
    try {
      expect(Buffer.from(await printPdf(path)).toString()).toMatch(/^%PDF-/)
    } finally {
      BrowserWindow.prototype.loadURL = loadURL
    }
    expect(seen).toEqual({
      page: '<!doctype html><p>words</p>',
      status: 404,
      passes: [true, false, false, false],
    })
    expect(last().options).toMatchObject({
      show: false,
      webPreferences: {
        ...webPreferences,
        javascript: false,
        spellcheck: false,
        backgroundThrottling: false,
      },
    })
    expect(lastCall('contents.printToPDF')[0]).toMatchObject({ pageSize: 'A4', landscape: false })
    expect(last().destroyed).toBe(true)
    expect(shut.handler).toBeNull()
  })
})
