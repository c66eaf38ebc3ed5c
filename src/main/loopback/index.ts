import { homedir } from 'node:os'
import { createApp } from '../app.ts'
import { dataFolder } from '../hosting/home.ts'
import { createIds } from '../hosting/ids.ts'
import { lockHome, type HomeLock } from '../hosting/instance.ts'
import { openLogFile } from '../hosting/log-file.ts'
import { filesOf, openFiles } from '../hosting/opened-files.ts'
import { placesOf } from '../hosting/places.ts'
import { proxyFromEnvironment } from '../hosting/proxy.ts'
import { setupSteadyThreads } from '../hosting/steady-threads.ts'
import { version } from '../hosting/version.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { privateByDefault } from '../security/private-files.ts'
import { createLog, createRedactor } from '../security/redact.ts'
import { parseArguments, type LoopbackArguments } from './arguments.ts'
import { loopbackOrigin } from './gate.ts'
import { removeLaunchFile, removeLaunchFiles, writeLaunchFile } from './launch-file.ts'
import { setupLastResort, setupStop } from './life.ts'
import { openBrowser } from './open-browser.ts'
import { askFirst } from './second-launch.ts'
import { createLoopbackServer } from './server.ts'

const { platform, env } = process
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Starts Lectern for a browser on this computer, and stops it in good order on SIGINT, SIGTERM or SIGHUP. */
async function run(wish: LoopbackArguments, home: string, lock: HomeLock): Promise<void> {
  const clock = Date.now
  const ids = createIds(clock)
  const redactor = createRedactor()
  const log = createLog({ write: openLogFile(home), redactor, clock })
  setupLastResort(process, log)
  const { rendererDir, modelsDir, workerUrl } = placesOf(import.meta.url)
  const app = await createApp({
    host: 'loopback',
    home,
    version,
    platform,
    rendererDir,
    modelsDir,
    mediaBase: '/media/',
    keychain: createKeyring({ platform }),
    log,
    redactor,
    workerUrl,
    proxyFor: async (url) => proxyFromEnvironment(url, env),
    openExternal: (url) => openBrowser(platform, url),
    clock,
    ids,
    background: () => 'light',
  })
  removeLaunchFiles(home)
  const server = await createLoopbackServer({
    app,
    port: wish.port,
    clock,
    ids,
    log,
    onEntered: (url) => removeLaunchFile(home, url),
  })
  lock.announce({ host: 'loopback', pid: process.pid, port: server.port, secret: server.secret })
  await app.start()

  setupStop(process, {
    server,
    app,
    log,
    last() {
      removeLaunchFiles(home)
      lock.release()
      say('Lectern was closed.')
    },
  })

  await show(server.launchUrl(), wish.open && home, 'Lectern is ready at')
  const connection = { id: ids(), push: () => {} }
  const origin = loopbackOrigin(server.port)
  const folder = process.cwd()
  const strange = wish.rest.filter((name) => filesOf([name], folder).length === 0)
  const files = filesOf(wish.rest, folder)
  const refused = await openFiles(files, { app, connection, ids, origin, log })
  for (const name of [...strange, ...refused]) say(`Lectern could not take in this file: ${name}`)
}

/** Prints the address, and opens it, by a file in the data folder, when that was not declined. */
async function show(url: string, home: string | false, words: string): Promise<void> {
  say(`${words} ${url}`)
  if (home === false) return
  const opened = await openBrowser(platform, writeLaunchFile(home, url))
  say(
    opened
      ? 'Your browser opens by itself. If it shows an error instead, open this address in it.'
      : 'Open this address in your browser.',
  )
}

/** The folder is in use: says by whom, and passes this launch on to it. */
async function passOn(wish: LoopbackArguments, home: string): Promise<number> {
  const first = await askFirst(home)
  if (wish.rest.length > 0)
    say('Files are not passed on to the Lectern that is running: drop them on its page.')
  if (first.kind === 'loopback') {
    await show(first.url, wish.open && home, 'Lectern is already running here:')
    return 0
  }
  say(
    first.kind === 'window'
      ? `Lectern is already open in its own window with this data folder: ${home}`
      : `Another Lectern uses this data folder and does not answer: ${home}`,
  )
  return first.kind === 'window' ? 0 : 1
}

try {
  privateByDefault()
  setupSteadyThreads()
  const wish = parseArguments(process.argv.slice(2))
  const home = dataFolder({ platform, env, userHome: homedir() })
  const lock = lockHome(home)
  if (lock) await run(wish, home, lock)
  else process.exitCode = await passOn(wish, home)
} catch (error) {
  say(`Lectern could not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
