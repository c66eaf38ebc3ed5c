// A small app for the stand-in's own tests: one window, one utility process, ports between them.
import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, ipcMain, MessageChannelMain, protocol, utilityProcess } from 'electron'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
const page =
  '<!doctype html><meta charset="utf-8"><title>Sample</title><input type="file"><p>Sample</p>'

app.setPath('userData', process.env.SAMPLE_HOME)
protocol.registerSchemesAsPrivileged([
  {
    scheme: 'app',
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
  },
])
ipcMain.handle('echo', (_event, value) => value)
ipcMain.handle('refuse', () => {
  throw new TypeError('no such thing')
})
ipcMain.handle('function', () => () => {})
ipcMain.handle('sender', ({ senderFrame: { url, origin, parent } }) => [
  url === 'app://bundle/',
  origin === 'app://bundle',
  parent,
])

void app.whenReady().then(async () => {
  protocol.handle('app', async (request) => {
    if (!request.url.startsWith('app://bundle/')) return new Response('other host')
    if (request.method === 'PUT') {
      const { byteLength } = await request.arrayBuffer()
      return Response.json({ byteLength, headers: [...request.headers.keys()], url: request.url })
    }
    return new Response(page, { headers: { 'content-type': 'text/html' } })
  })
  const core = utilityProcess.fork(file('core.mjs'), ['one'], { serviceName: 'core' })
  core.on('exit', (code) => ipcMain.emit('core-exit', {}, code))
  ipcMain.handle('core', (_event, message) => {
    const answered = new Promise((resolve) => core.once('message', resolve))
    core.postMessage(message)
    return answered
  })
  ipcMain.handle('core-kill', () => {
    const gone = new Promise((resolve) => core.once('exit', resolve))
    core.kill()
    return gone
  })
  const window = new BrowserWindow({ webPreferences: { preload: file('preload.cjs') } })
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  ipcMain.handle('connect', ({ sender }) => {
    const { port1, port2 } = new MessageChannelMain()
    core.postMessage('port', [port1])
    sender.postMessage('port', { for: 'page' }, [port2])
  })
  await window.loadURL('app://bundle/')
})
