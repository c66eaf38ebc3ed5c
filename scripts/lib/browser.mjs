import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Problem } from './say.mjs'

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {string} home
 */

/** @returns {Machine} */
export const thisMachine = () => ({ platform: process.platform, env: process.env, home: homedir() })

const isProgram = (/** @type {string} */ file) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the full path of a program on PATH, or null if it is not there.
 * @param {string} name
 * @param {Machine} [machine]
 */
export function onPath(name, machine = thisMachine()) {
  const folders = (machine.env['PATH'] ?? machine.env['Path'] ?? '').split(delimiter)
  const file = machine.platform === 'win32' ? `${name}.exe` : name
  return (
    folders
      .filter(Boolean)
      .map((folder) => join(folder, file))
      .find(isProgram) ?? null
  )
}

/** Program names on PATH, Chromium before the browsers based on it. */
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
]

/** @param {Machine} machine */
function defaultFolders({ platform, env, home }) {
  if (platform === 'darwin') {
    const apps = ['Chromium', 'Google Chrome', 'Microsoft Edge']
    return ['/Applications', join(home, 'Applications')].flatMap((folder) =>
      apps.map((app) => join(folder, `${app}.app`, 'Contents', 'MacOS', app)),
    )
  }
  if (platform === 'win32') {
    const folders = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']]
    const programs = [
      ['Chromium', 'Application', 'chrome.exe'],
      ['Google', 'Chrome', 'Application', 'chrome.exe'],
      ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
    ]
    return folders.flatMap((folder) =>
      folder ? programs.map((parts) => join(folder, ...parts)) : [],
    )
  }
  return ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
}

/**
 * Returns the folder of the browsers that Playwright downloads.
 * @param {Machine} machine
 */
function playwrightFolder({ platform, env, home }) {
  const chosen = env['PLAYWRIGHT_BROWSERS_PATH']
  if (chosen && chosen !== '0') return chosen
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? home, 'ms-playwright')
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'ms-playwright')
}

const insidePlaywright = [
  ['chrome-linux', 'chrome'],
  ['chrome-linux64', 'chrome'],
  ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
  [
    'chrome-mac-arm64',
    'Google Chrome for Testing.app',
    'Contents',
    'MacOS',
    'Google Chrome for Testing',
  ],
  [
    'chrome-mac-x64',
    'Google Chrome for Testing.app',
    'Contents',
    'MacOS',
    'Google Chrome for Testing',
  ],
  ['chrome-win', 'chrome.exe'],
  ['chrome-win64', 'chrome.exe'],
]

/** @param {Machine} machine */
function playwrightDownloads(machine) {
  const folder = playwrightFolder(machine)
  if (!existsSync(folder)) return []
  const revision = (/** @type {string} */ name) => Number(name.slice('chromium-'.length))
  return readdirSync(folder)
    .filter((name) => /^chromium-\d+$/.test(name))
    .toSorted((a, b) => revision(b) - revision(a))
    .flatMap((name) => insidePlaywright.map((parts) => join(folder, name, ...parts)))
}

/**
 * Finds a Chromium: `CHROMIUM_PATH`, then PATH, the system's default locations, and Playwright's own downloads (newest first).
 * Throws a Problem if `CHROMIUM_PATH` names no program, because it was set on purpose.
 * @param {Machine} [machine]
 * @returns {string | null}
 */
export function findChromium(machine = thisMachine()) {
  const chosen = machine.env['CHROMIUM_PATH']
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Problem(
      `CHROMIUM_PATH is ${chosen}, which is not an executable.`,
      'Correct it or unset it.',
    )
  }
  for (const name of names) {
    const found = onPath(name, machine)
    if (found) return found
  }
  return [...defaultFolders(machine), ...playwrightDownloads(machine)].find(isProgram) ?? null
}
