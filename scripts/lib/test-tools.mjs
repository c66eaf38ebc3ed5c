import { existsSync } from 'node:fs'
import { findChromium, onPath } from './browser.mjs'
import { run } from './command.mjs'
import { Problem, say } from './say.mjs'
import { filesBelow } from './stamps.mjs'

/**
 * @typedef {object} Tool
 * @property {string} what what is missing, and its purpose
 * @property {() => boolean} isThere
 * @property {string} debian its package
 * @property {string} elsewhere how to get it on macOS and Windows
 */

const fontFolders = ['/usr/share/fonts', '/usr/local/share/fonts']
const chineseFont = /cjk|source-?han|wqy|wenquanyi|uming|ukai|droidsansfallback/i

/** @type {readonly Tool[]} */
const everywhere = [
  {
    what: 'Chromium, for the browser tests',
    isThere: () => findChromium() !== null,
    debian: 'chromium',
    elsewhere:
      'Install Chrome, Edge or Chromium, or run `npx playwright-core install chromium`, or set CHROMIUM_PATH.',
  },
  {
    what: 'espeak-ng, which generates the test sentences for the speech model',
    isThere: () => onPath('espeak-ng') !== null,
    debian: 'espeak-ng',
    elsewhere: 'macOS: `brew install espeak-ng`. Windows: `winget install eSpeak-NG.eSpeak-NG`.',
  },
  {
    what: 'ffmpeg and ffprobe, which check exported audio independently',
    isThere: () => onPath('ffmpeg') !== null && onPath('ffprobe') !== null,
    debian: 'ffmpeg',
    elsewhere: 'macOS: `brew install ffmpeg`. Windows: `winget install Gyan.FFmpeg`.',
  },
]

/** @type {readonly Tool[]} */
const onLinux = [
  {
    what: 'dbus-run-session, for a private session bus',
    isThere: () => onPath('dbus-run-session') !== null,
    debian: 'dbus',
    elsewhere: '',
  },
  {
    what: 'gnome-keyring-daemon, the keychain that the key tests use',
    isThere: () => onPath('gnome-keyring-daemon') !== null,
    debian: 'gnome-keyring',
    elsewhere: '',
  },
  {
    what: 'a font with Chinese characters, for the pages in Chinese',
    isThere: () => filesBelow(fontFolders).some((file) => chineseFont.test(file)),
    debian: 'fonts-noto-cjk',
    elsewhere: '',
  },
]

const forTests = () => [...everywhere, ...(process.platform === 'linux' ? onLinux : [])]

/** @type {readonly Tool[]} */
const forWindowsTests = [
  {
    what: '64-bit Wine 8 or later, which runs Node for Windows',
    isThere: () => onPath('wine') !== null,
    debian: 'wine wine64',
    elsewhere: '',
  },
]

/** @param {readonly Tool[]} tools */
async function installOnDebian(tools) {
  const packages = tools.flatMap((tool) => tool.debian.split(' '))
  say(`Installing ${packages.join(', ')} with apt-get.`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const get = (/** @type {string[]} */ ...args) => run('apt-get', args, { env, capture: true })
  const update = await get('update', '-q')
  const install = await get('install', '-y', '-q', '--no-install-recommends', ...packages)
  if (install.code === 0) return
  throw new Problem(
    `apt-get install exited with code ${install.code}.\n${(update.output + install.output).trim().split('\n').slice(-15).join('\n')}`,
    'Install them manually, then try again.',
  )
}

/** @param {readonly Tool[]} tools */
function suggestion(tools) {
  if (process.platform !== 'linux') return tools.map((tool) => tool.elsewhere).join('\n')
  const packages = tools.map((tool) => tool.debian).join(' ')
  return `On Debian and Ubuntu: sudo apt-get install -y ${packages}\nOn other systems: install the packages with the same names, and set CHROMIUM_PATH to use your own browser.`
}

/**
 * Installs missing tools on Debian as root; elsewhere explains how to get them.
 * @param {readonly Tool[]} tools
 */
async function ensure(tools) {
  const missing = () => tools.filter((tool) => !tool.isThere())
  const first = missing()
  if (first.length === 0) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) await installOnDebian(first)
  const still = missing()
  if (still.length === 0) return
  throw new Problem(
    `The tests require tools that are missing on this computer:\n${still.map((tool) => `- ${tool.what}`).join('\n')}`,
    suggestion(still),
  )
}

/**
 * Ensures that every program the tests need is on this machine: no test
 * is skipped because one is missing. Installs it on Debian as root;
 * elsewhere explains how to get it.
 * @returns {Promise<{ CHROMIUM_PATH: string }>} the environment of the tests
 */
export async function ensureTestTools() {
  await ensure(forTests())
  return { CHROMIUM_PATH: findChromium() ?? '' }
}

/** Like {@link ensureTestTools}, for the unit tests in Node for Windows. */
export const ensureWine = () => ensure(forWindowsTests)
