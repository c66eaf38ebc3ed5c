import { existsSync, readFileSync } from 'node:fs'
import { build } from './build.mjs'
import { isMain } from './lib/args.mjs'
import { nameOf, nativesFor } from './lib/natives.mjs'
import { npm } from './lib/npm.mjs'
import { at } from './lib/paths.mjs'
import { ensureRuntime, runNode } from './lib/runtime.mjs'
import { Problem, say, script } from './lib/say.mjs'
import { writeBill, writeLicenses } from './licences.mjs'
import { ensureModels } from './models.mjs'
import { setup } from './setup.mjs'

/** Options of electron-builder's command line that select a system. @type {Readonly<Record<string, readonly string[]>>} */
const systemWords = {
  win32: ['--win', '--windows', '-w'],
  darwin: ['--mac', '--macos', '-m', '-o'],
  linux: ['--linux', '-l'],
}

/**
 * Returns the targets electron-builder packs for with these arguments: the systems and processors they specify, or this
 * computer's. A Mac packs for both kinds of Mac, as electron-builder.yml specifies.
 * @param {readonly string[]} args
 * @param {import('./lib/natives.mjs').System} [machine]
 */
export function targetsOf(args, machine = process) {
  const systems = Object.keys(systemWords).filter((platform) =>
    systemWords[platform]?.some((word) => args.includes(word)),
  )
  const named = ['x64', 'arm64'].filter((arch) => args.includes(`--${arch}`))
  return (systems.length > 0 ? systems : [machine.platform]).flatMap((platform) => {
    const usual = platform === 'darwin' ? ['x64', 'arm64'] : [machine.arch]
    return (named.length > 0 ? named : usual).map((arch) => ({ platform, arch }))
  })
}

/**
 * Returns native packages of the targets that are not installed: npm installs only those of this computer, and the packed app
 * would start without them and fail later (no PDF drawn, no key saved).
 * @param {readonly import('./lib/natives.mjs').System[]} targets
 * @param {import('./lib/natives.mjs').LockedPackages} packages of package-lock.json
 * @param {(path: string) => string | null} [installedVersion] the installed version at a path of the lock file
 */
export const missingNatives = (targets, packages, installedVersion = versionAt) =>
  targets.flatMap((target) =>
    nativesFor(packages, target)
      .filter(({ path, version }) => installedVersion(path) !== version)
      .map(({ name, version }) => ({ target, locked: `${name}@${version}` })),
  )

/** npm arguments that install native packages of other systems in addition to this computer's; existing packages stay. */
const installing = (/** @type {ReturnType<typeof missingNatives>} */ missing) => [
  'install',
  '--no-save',
  '--force',
  '--ignore-scripts',
  ...new Set(missing.map(({ locked }) => locked)),
]

/** Reports which native packages are missing, and the command that fixes it. */
export const nativesProblem = (/** @type {ReturnType<typeof missingNatives>} */ missing) =>
  new Problem(
    `Native packages are missing:\n${missing.map(({ target, locked }) => `- ${locked} (${nameOf(target)})`).join('\n')}`,
    `Install them in addition to those for this computer: npm ${installing(missing).join(' ')}\nOr install them while packaging: npm run package -- --install-natives`,
  )

const ownArgs = (/** @type {readonly string[]} */ args) => ({
  installs: args.includes('--install-natives'),
  args: args.filter((arg) => arg !== '--install-natives'),
})

function versionAt(/** @type {string} */ path) {
  const file = at(path, 'package.json')
  /** @type {{ version?: string }} */
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return manifest.version ?? null
}

/** Variables for signing: an empty one (a secret that a workflow does not have) counts as unset. */
const signingVariables = /^(WIN_)?CSC_|^APPLE_|^AZURE_/

/** Settings of Azure Trusted Signing, by their environment variables. */
const azureSettings = /** @type {const} */ ([
  ['AZURE_SIGNING_ENDPOINT', 'endpoint'],
  ['AZURE_SIGNING_ACCOUNT', 'codeSigningAccountName'],
  ['AZURE_SIGNING_PROFILE', 'certificateProfileName'],
  ['AZURE_SIGNING_PUBLISHER', 'publisherName'],
])

/**
 * Returns the signing options, based on the environment (docs/packaging.md). Without a Developer ID the Mac app is signed ad hoc:
 * with no signature at all, macOS reports it as damaged and offers no option to open it. The hardened runtime would then refuse
 * to load Electron's own framework, which has no team either.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ args: string[], env: NodeJS.ProcessEnv }} for electron-builder
 */
export function signing(env) {
  const empty = Object.keys(env).filter((name) => signingVariables.test(name) && !env[name]?.trim())
  const has = (/** @type {string} */ name) => Boolean(env[name]?.trim())
  const args = []
  if (!has('CSC_LINK') && !has('CSC_NAME'))
    args.push('-c.mac.identity=-', '-c.mac.hardenedRuntime=false', '-c.mac.notarize=false')
  if (azureSettings.every(([name]) => has(name)))
    args.push(...azureSettings.map(([name, key]) => `-c.win.azureSignOptions.${key}=${env[name]}`))
  return { args, env: Object.fromEntries(empty.map((name) => [name, undefined])) }
}

/** Packs the app for this system; further arguments are passed to electron-builder (`--dir`, `--x64 --arm64`). */
if (isMain(import.meta.url)) {
  await script(async () => {
    const { installs, args } = ownArgs(process.argv.slice(2))
    await setup()
    await ensureModels()
    const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
    const missing = missingNatives(targetsOf(args), packages)
    if (missing.length > 0 && installs) {
      await npm(installing(missing))
      // npm removes packages that it did not install itself.
      await ensureRuntime()
    }
    const still = missingNatives(targetsOf(args), packages)
    if (still.length > 0) throw nativesProblem(still)
    const signed = signing(process.env)
    await build({ force: true })
    say(`The list of licenses names ${await writeLicenses()} libraries.`)
    say(`The bill of materials names ${await writeBill()} components.`)
    const { code } = await runNode(
      [
        'node_modules/electron-builder/cli.js',
        '--config',
        'electron-builder.yml',
        '--publish',
        'never',
        ...signed.args,
        ...args,
      ],
      // Its downloads (Electron, tools) use the proxies of the environment only with these variables.
      { env: { ...signed.env, NODE_USE_ENV_PROXY: '1', ELECTRON_GET_USE_PROXY: '1' } },
    )
    if (code === 0) say('The packages are in dist/.')
    return code
  })
}
