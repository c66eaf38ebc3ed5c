import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MessagePortMain } from 'electron'
import type { ElectronCore } from '../../../../src/main/hosts/electron/core.ts'
import { channels } from '../../../../src/shared/contract/transport.ts'
import { notedApp } from '../loopback/fixture.ts'
import { coreOver } from './quick-deps.ts'
import * as electron from './electron-mock.ts'

// The real file host and transport, with a mock of Electron.
vi.mock('electron', () => import('./electron-mock.ts'))
const { createFileHost } = await import('../../../../src/main/hosts/electron/file-host.ts')
const { serveWindow } = await import('../../../../src/main/hosts/electron/transport.ts')
const { setupDownloads } = await import('../../../../src/main/hosts/electron/downloads.ts')

const { calls, lastCall, world } = electron
const home = mkdtempSync(join(tmpdir(), 'lectern-file-host-'))
const folder = mkdtempSync(join(tmpdir(), 'lectern-chosen-'))
const host = createFileHost(home)
let connection = { id: '' }
const window = new electron.BrowserWindow({})

beforeAll(() => {
  const app: ElectronCore = {
    ...coreOver(notedApp()),
    openPage(id) {
      connection = { id }
      return {} as MessagePortMain
    },
  }
  let ids = 0
  // The mock replaces Electron's class.
  serveWindow(window as never, { app, ids: () => `1${(ids += 1)}`, clock: () => 0 })
  const page = { origin: 'app://bundle', url: 'app://bundle/', parent: null, postMessage() {} }
  window.webContents.handlers.get(channels.connect)?.({
    senderFrame: page,
    sender: { id: window.webContents.id },
  })
})
beforeEach(() => {
  calls.length = 0
  world.chosenPath = ''
  world.fileIcons = true
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

const request = { suggestedName: 'Talk.wav', extension: 'wav', use: 'audio' } as const

describe('the save dialog', () => {
  test('belongs to the requesting window, and suggests name and extension in the downloads', async () => {
    expect(await host.saveDialog(request, connection.id)).toBeNull()
    const [parent, options] = lastCall('dialog.showSaveDialog')
    expect(parent).toBe(window)
    expect(options).toMatchObject({
      defaultPath: join('/downloads', 'Talk.wav'),
      filters: [{ name: 'WAV', extensions: ['wav'] }],
    })
  })

  test('starts in the last folder used for the same file type, if it still exists', async () => {
    world.chosenPath = join(folder, 'Mine.wav')
    expect(await host.saveDialog(request, connection.id)).toBe(world.chosenPath)
    await host.rememberFolder(world.chosenPath, 'audio')
    const start = async (use: 'audio' | 'image'): Promise<unknown> => {
      world.chosenPath = ''
      await host.saveDialog({ ...request, use }, connection.id)
      return (lastCall('dialog.showSaveDialog')[1] as { defaultPath: string }).defaultPath
    }
    expect(await start('audio')).toBe(join(folder, 'Talk.wav'))
    expect(await start('image')).toBe(join('/downloads', 'Talk.wav'))
    // Canceled dialogs, a missing folder and a corrupted file change nothing.
    expect(await start('audio')).toBe(join(folder, 'Talk.wav'))
    const memory = join(home, 'save-folders.json')
    const gone = { audio: `${folder}-gone` }
    writeFileSync(memory, JSON.stringify({ ...JSON.parse(readFileSync(memory, 'utf8')), ...gone }))
    expect(await start('audio')).toBe(join('/downloads', 'Talk.wav'))
    for (const broken of ['{', '[]', 'null', '{"audio":7}', '{"audio":"relative"}']) {
      writeFileSync(memory, broken)
      expect(await start('audio')).toBe(join('/downloads', 'Talk.wav'))
    }
  })

  test('opens without a parent for a closed window or for none', async () => {
    for (const id of ['', 'no-window', '1abc', '999-1']) {
      await host.saveDialog(request, id)
      expect(lastCall('dialog.showSaveDialog').length).toBe(1)
    }
  })
})

test('selects one file of the requested types in the open dialog', async () => {
  world.chosenPath = join(folder, 'Library.zip')
  expect(await host.openDialog(['zip'], connection.id)).toBe(world.chosenPath)
  expect(lastCall('dialog.showOpenDialog')).toEqual([
    window,
    { filters: [{ name: 'ZIP', extensions: ['zip'] }], properties: ['openFile'] },
  ])
  world.chosenPath = ''
  expect(await host.openDialog(['zip'], connection.id)).toBeNull()
})

test('shows a file in its folder and never opens it', async () => {
  await host.showInFolder('/x/Talk.wav')
  expect(calls).toEqual([{ name: 'shell.showItemInFolder', args: ['/x/Talk.wav'] }])
})

describe('a drag', () => {
  test('starts in the requesting window, with the system icon', async () => {
    await host.startDrag('/x/Talk.wav', connection.id)
    expect(lastCall('contents.startDrag')).toEqual([
      { file: '/x/Talk.wav', icon: expect.objectContaining({ of: '/x/Talk.wav' }) },
    ])
  })

  test('has an icon even where the system has none: macOS refuses a drag without one', async () => {
    world.fileIcons = false
    await host.startDrag('/x/Talk.wav', connection.id)
    const [{ icon }] = lastCall('contents.startDrag') as [{ icon: { pixels: Uint8Array } }]
    expect(icon.pixels.length).toBe(32 * 32 * 4)
    expect(icon.pixels.every((value) => value > 0)).toBe(true)
  })

  test('does not start for a closed window', async () => {
    await host.startDrag('/x/Talk.wav', 'gone')
    expect(calls.some(({ name }) => name === 'contents.startDrag')).toBe(false)
  })
})

test('cancels engine downloads: sends media to the page to save, drops the rest', () => {
  setupDownloads()
  const { defaultSession } = electron.session
  const begin = (url: string): boolean => {
    let prevented = false
    const item = { getURL: () => url, getFilename: () => 'Talk.wav' }
    const event = { preventDefault: () => (prevented = true) }
    defaultSession.emit('will-download', event, item, window.webContents)
    return prevented
  }
  window.webContents.sent.length = 0
  expect(begin('app://media/meeting-m1')).toBe(true)
  for (const url of ['https://evil.example/x.exe', 'blob:app://bundle/1', 'app://bundle/x', ''])
    expect(begin(url)).toBe(true)
  expect(window.webContents.sent).toEqual([
    {
      channel: channels.push,
      value: {
        channel: 'app',
        event: { type: 'page.save', media: 'meeting-m1', name: 'Talk.wav' },
      },
    },
  ])
})
