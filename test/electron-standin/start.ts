import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Runs the built main bundle of an Electron app with a stand-in for Electron:
//   node test/electron-standin/start.ts out/main/index.js [arguments of the app]
const [, , entry, ...args] = process.argv
if (entry === undefined) throw new Error('Name the main bundle to run')
const main = resolve(entry)
// As in Electron when it is started with a folder: program, app, arguments.
process.argv.splice(1, process.argv.length, main, ...args)

const { version: electron } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('electron/package.json'), 'utf8'),
) as { version: string }
Object.defineProperty(process, 'type', { enumerable: true, value: 'browser' })
Object.defineProperty(process, 'resourcesPath', { enumerable: true, value: resolve('resources') })
Object.defineProperty(process, 'versions', {
  enumerable: true,
  value: { ...process.versions, electron, chrome: '152.0.0.0' },
})
const platform = process.env['STANDIN_PLATFORM']
if (platform !== undefined) {
  // Another platform only for the app's own code: packages load the native modules installed here, and Node is
  // unchanged.
  const real = process.platform
  Object.defineProperty(process, 'platform', {
    enumerable: true,
    get: () =>
      /node_modules|node:/.test(new Error('asked').stack?.split('\n')[2] ?? '') ? real : platform,
  })
}

const standin = new URL('electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: standin, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})

const { listenToDriver } = await import('./control.ts')
const { app } = await import('./app.ts')
listenToDriver()
// `lib/browser/init.ts`: the app is ready only after its code has been loaded, and an error thrown there is an
// uncaught exception.
try {
  await import(pathToFileURL(main).href)
} catch (error) {
  if (!process.emit('uncaughtException', error as Error)) throw error
}
await app.start()
