import { existsSync } from 'node:fs'
import { build } from './build.mjs'
import { isMain } from './lib/args.mjs'
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { Problem, say, script } from './lib/say.mjs'
import { writeLicences } from './licences.mjs'
import { ensureModels } from './models.mjs'
import { setup } from './setup.mjs'

/** The processors an app is packed for on each system, unless the arguments name some. @type {Readonly<Record<string, readonly string[]>>} */
const processors = { darwin: ['arm64', 'x64'], win32: [process.arch], linux: [process.arch] }

/** The keychain's native part for a system and processor. */
export const keyringFor = (/** @type {string} */ platform, /** @type {string} */ arch) =>
  `@napi-rs/keyring-${platform}-${arch}${{ linux: '-gnu', win32: '-msvc' }[platform] ?? ''}`

/** npm brings native packages for this computer's processor only; packing for another one needs its own beside. */
function checkNatives(/** @type {readonly string[]} */ archs) {
  const missing = archs
    .map((arch) => keyringFor(process.platform, arch))
    .filter((name) => !existsSync(at('node_modules', ...name.split('/'))))
  if (missing.length === 0) return
  throw new Problem(
    `The packages for the other processor are missing: ${missing.join(', ')}`,
    `npm install --no-save --force ${missing.map((name) => `${name}@2.1.2`).join(' ')}`,
  )
}

/** Packs the app for the system this runs on; more arguments go to electron-builder (`--dir`, `--x64`). */
if (isMain(import.meta.url)) {
  await script(async () => {
    const args = process.argv.slice(2)
    const named = ['x64', 'arm64'].filter((arch) => args.includes(`--${arch}`))
    await setup()
    await ensureModels()
    checkNatives(named.length > 0 ? named : (processors[process.platform] ?? [process.arch]))
    await build({ force: true })
    say(`${await writeLicences()} libraries are named in the list of licences.`)
    const { code } = await runNode([
      'node_modules/electron-builder/cli.js',
      '--config',
      'electron-builder.yml',
      '--publish',
      'never',
      ...args,
    ])
    if (code === 0) say('The packages are in dist/.')
    return code
  })
}
