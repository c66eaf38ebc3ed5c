import { homedir } from 'node:os'
import { createApp } from '../../app.ts'
import { dataFolder } from '../support/home.ts'
import { createIds } from '../support/ids.ts'
import { lockHome, type HomeLock } from '../support/instance.ts'
import { openLogFile } from '../support/log-file.ts'
import { filesOf, openFiles } from '../support/opened-files.ts'
import { placesOf } from '../support/data-folders.ts'
import { proxyFromEnvironment } from '../support/proxy.ts'
import { removeRunMark } from '../support/run-mark.ts'
import { claimSelfTestHome, runSelfTest } from '../support/self-test.ts'
import { forkedProcess } from '../../../system/own-process/fork.ts'
import { setupSteadyThreads } from '../../../system/v8-wasm-workaround.ts'
import { version } from '../support/version.ts'
import { createKeyring } from '../../platform/secrets/keyring.ts'
import { isPrivatePlace, privateByDefault } from '../../platform/security/private-files.ts'
import { createLog, createRedactor } from '../../platform/security/redact.ts'
import { parseArguments, type LoopbackArguments } from './arguments.ts'
import { removeLaunchFile, removeLaunchFiles, writeLaunchFile } from './launch-file.ts'
import { setupLastResort, setupStop } from './loopback-lifecycle.ts'
import { openBrowser } from './open-browser.ts'
import { findFirstLaunch } from './second-launch.ts'
import { createLoopbackServer } from './server.ts'
import { createTrustPages } from './trust.ts'

const { platform, env } = process
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Starts Lectern for a browser on this computer, and stops it cleanly on SIGINT, SIGTERM or SIGHUP. */
async function run(args: LoopbackArguments, home: string, lock: HomeLock): Promise<void> {
  const clock = Date.now
  const ids = createIds(clock)
  const redactor = createRedactor()
  const log = createLog({ write: openLogFile(home), redactor, clock })
  if (!isPrivatePlace(home, homedir()))
    log.warn(
      'The data folder is outside the user profile. Other users of this computer may be able to read it',
    )
  setupLastResort(process, log)
  const { rendererDir, modelsDir, workerUrl } = placesOf(import.meta.url)
  let trustOrigin = ''
  const trust = createTrustPages({
    origin: () => trustOrigin,
    onAnswered: (url) => removeLaunchFile(home, url),
    show: (url) => show(url, args.open && home, 'Lectern needs your confirmation in the browser:'),
  })
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
    openProcess: forkedProcess(workerUrl('own-process')),
    proxyFor: async (url) => proxyFromEnvironment(url, env),
    openExternal: (url) => openBrowser(platform, url),
    trust: { confirm: trust.confirm, chooseCertificates: trust.chooseCertificates },
    clock,
    ids,
  })
  if (args.selfTest) {
    process.exitCode = await runSelfTest({
      app,
      ids,
      request: args.selfTest,
      // A page would need a browser: Settings > About runs its checks.
      pages: false,
      about: { host: 'loopback', platform, version },
      print: (line) => void process.stderr.write(`${line}\n`),
      write: say,
    })
    await app.stop()
    lock.release()
    return
  }
  removeLaunchFiles(home)
  const server = await createLoopbackServer({
    app,
    port: args.port,
    trust,
    clock,
    ids,
    log,
    onEntered: (url) => removeLaunchFile(home, url),
  })
  trustOrigin = server.trustOrigin
  if (args.port !== 0)
    say(
      'Warning: programs of other users can occupy a fixed port before Lectern starts. Omit --port if you can.',
    )
  lock.announce({ host: 'loopback', pid: process.pid, port: server.port, secret: server.secret })
  await app.start()

  setupStop(process, {
    server,
    app,
    log,
    first: () => removeRunMark(home),
    last() {
      removeLaunchFiles(home)
      lock.release()
      say('Lectern stopped.')
    },
  })

  await show(server.launchUrl(), args.open && home, 'Lectern is ready at')
  const connection = { id: ids(), push: () => {} }
  const folder = process.cwd()
  const strange = args.rest.filter((name) => filesOf([name], folder).length === 0)
  const files = filesOf(args.rest, folder)
  const refused = await openFiles(files, { app, connection, log })
  for (const name of [...strange, ...refused.map((one) => one.name)])
    say(`Lectern couldn’t import this file: ${name}`)
}

/** Prints the URL, and unless that was declined opens it through a file in the data folder. */
async function show(url: string, home: string | false, words: string): Promise<void> {
  say(`${words} ${url}`)
  if (home === false) return
  const opened = await openBrowser(platform, writeLaunchFile(home, url))
  say(
    opened
      ? 'Opening your browser. If it shows an error, open this URL yourself.'
      : 'Open this URL in your browser.',
  )
}

/** Handles a folder in use: reports its owner, and forwards this launch to it. */
async function passOn(args: LoopbackArguments, home: string): Promise<number> {
  const first = await findFirstLaunch(home)
  if (args.rest.length > 0)
    say('Lectern is already running, so these files weren’t imported. Drop them on its page.')
  if (first.kind === 'loopback') {
    await show(first.url, args.open && home, 'Lectern is already running at')
    return 0
  }
  say(
    first.kind === 'window'
      ? `Lectern is already open in a window and uses this data folder: ${home}`
      : `Another copy of Lectern uses this data folder and doesn’t respond: ${home}`,
  )
  return first.kind === 'window' ? 0 : 1
}

try {
  privateByDefault()
  setupSteadyThreads()
  const args = parseArguments(process.argv.slice(2))
  if (args.selfTest) claimSelfTestHome(process)
  const home = dataFolder({ platform, env, userHome: homedir() })
  const lock = lockHome(home)
  if (lock) await run(args, home, lock)
  else process.exitCode = await passOn(args, home)
} catch (error) {
  say(`Lectern couldn’t start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
