import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './command.mjs'

/** npm's own program: the one that called us, or the one beside this Node. Started directly, it needs no shell on Windows. */
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
