import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

// Runs the built entry of the Electron host with the Electron mock, and prints the result as JSON.
const [entry = '', mockFile = '', media = ''] = process.argv.slice(2)
const mockUrl = pathToFileURL(mockFile).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron'
      ? { url: mockUrl, format: 'module-typescript', shortCircuit: true }
      : next(name, context),
})

const electron = await import(mockUrl)
const { app, BrowserWindow, lastCall, order } = electron
app.isPackaged = false
const until = async (check) => {
  for (let tries = 0; tries < 2400; tries++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`gave up waiting for ${check}`)
}

await import(pathToFileURL(entry).href)
const readBefore = order().includes('ready')
electron.becomeReady()
await until(() => order().includes('window.loadURL'))
const [window] = BrowserWindow.all
const [, serve] = lastCall('protocol.handle')
/** Returns the port that a frame gets when it requests one; null when it gets none. */
const connect = (frame) => {
  let port = null
  const senderFrame = {
    ...frame,
    parent: null,
    postMessage: (_channel, _message, [given]) => (port = given),
  }
  window.webContents.handlers.get('lectern:connect')({
    senderFrame,
    sender: { id: window.webContents.id },
  })
  return port
}
const strangers = connect({ origin: 'https://evil.example', url: 'https://evil.example/' })
const port = connect({ origin: 'app://bundle', url: 'app://bundle/' })
const answers = new Map()
port.on('message', ({ data }) => {
  if (data.t === 'res') answers.get(data.id)?.(data.reply)
})
port.start()
let calls = 0
const ask = (route, payload) => {
  const id = ++calls
  const reply = new Promise((resolve) => answers.set(id, resolve))
  port.postMessage({ t: 'req', id, route, payload })
  return reply
}
const page = await serve(new Request('app://bundle/'))
const html = await page.text()
const script = /type="module"[^>]* src="\.?(\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
const asset = await serve(new Request(`app://bundle${script}`))
const put = await serve(
  new Request('app://bundle/intake', {
    method: 'PUT',
    headers: { 'x-lectern-name': 'sound.wav' },
    body: Buffer.from(media, 'base64'),
  }),
)
const intake = await put.json()
const id = intake.data?.media?.id
const part = await serve(new Request(`app://media/${id}`, { headers: { range: 'bytes=0-3' } }))
const info = await ask('app.info', {})
const result = {
  readBefore,
  page: page.status,
  policy: page.headers.get('content-security-policy'),
  script,
  asset: asset.status,
  loopbackChunk: html.includes('loopback-bridge'),
  intake: intake.ok,
  part: [
    part.status,
    Buffer.from(await part.arrayBuffer()).toString('latin1'),
    part.headers.get('access-control-allow-origin'),
  ],
  info: info.ok && {
    host: info.data.host,
    mediaBase: info.data.mediaBase,
    storage: info.data.storage,
  },
  strangers,
  list: (await ask('library.list', {})).ok,
}
app.emit('before-quit', { preventDefault() {} })
await until(() => order().at(-1) === 'app.exit')
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
