import { existsSync } from 'node:fs'
import { isMain } from './lib/args.mjs'
import { parseArgs } from 'node:util'
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { Problem, say, script, seconds } from './lib/say.mjs'
import { clearStamp, contentHash, readStamp, writeStamp } from './lib/stamps.mjs'

/** Inputs of the bundles. */
const sources = [
  'src',
  'build.targets.ts',
  'electron.vite.config.ts',
  'vite.core.config.ts',
  'vite.loopback.config.ts',
  'package.json',
  'package-lock.json',
].map((place) => at(place))

/** Output files of the build. */
const products = [
  'out/main/index.js',
  'out/main/core.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/loopback/index.js',
].map((place) => at(place))

const vite = (/** @type {string} */ config) => [
  'node_modules/vite/bin/vite.js',
  'build',
  '--config',
  config,
  '--logLevel',
  'warn',
]

const steps = [
  {
    what: 'the Electron host, its preload and the page',
    args: ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'],
  },
  { what: 'the core of the Electron host', args: vite('vite.core.config.ts') },
  { what: 'the loopback host', args: vite('vite.loopback.config.ts') },
]

/**
 * Builds everything in out/, unless it was already built from exactly these sources.
 * @param {{ force?: boolean }} [options]
 */
export async function build({ force = false } = {}) {
  const hash = contentHash(sources)
  const isCurrent = readStamp('build')?.hash === hash && products.every((file) => existsSync(file))
  if (isCurrent && !force) return
  clearStamp('build')
  const start = Date.now()
  const env = { NODE_ENV: 'production', ...(!process.stdout.isTTY && { NO_COLOR: '1' }) }
  for (const { what, args } of steps) {
    say(`Building ${what}.`)
    const { code } = await runNode(args, { env })
    if (code !== 0)
      throw new Problem(`Building ${what} failed (code ${code}). See the output above.`)
  }
  const absent = products.filter((file) => !existsSync(file))
  if (absent.length > 0) throw new Problem(`The build did not create ${absent.join(', ')}.`)
  writeStamp('build', { hash })
  say(`Built in ${seconds(Date.now() - start)}.`)
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } })
    await build(values)
    say('out/ is up to date.')
  })
}
