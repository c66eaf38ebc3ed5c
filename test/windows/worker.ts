import { registerHooks } from 'node:module'
import { connect } from 'node:net'
import { exit } from 'node:process'
import { readFileSync } from 'node:fs'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import { changeTexts, framed, frames, onDrive } from './frames.ts'

// A Vitest worker inside Wine: its channel is a socket to the pool that started it.
const [port = '', root = ''] = process.argv.slice(2)
const socket = connect(Number(port), '127.0.0.1')
const end = exit.bind(process)
const listeners = new Set<(message: unknown) => void>()

/**
 * Returns a module with the exports of Electron, whose package is a path in Node: Vitest only replaces exports that a module
 * has.
 */
function electronNames(): string {
  const types = readFileSync(`${root}/node_modules/electron/electron.d.ts`, 'utf8')
  const names = types
    .slice(types.indexOf('namespace CrossProcessExports'))
    .matchAll(/^ {4}(?:const|class) (\w+)/gm)
  return [...new Set(Array.from(names, ([, name]) => `export const ${name} = undefined`))].join(
    '\n',
  )
}

registerHooks({
  load: (url, context, next) =>
    url.includes('/node_modules/electron/index.js')
      ? { format: 'module', source: electronNames(), shortCircuit: true }
      : next(url, context),
})

socket.setNoDelay(true)
socket.on(
  'data',
  frames((message) => {
    const here = changeTexts(message, onDrive(root))
    for (const listener of listeners) listener(here)
  }),
)
socket.on('error', () => end(1))
socket.on('end', () => end(0))

init({
  post: (response) => void socket.write(framed(response)),
  on: (listener) => void listeners.add(listener),
  off: (listener) => void listeners.delete(listener),
  teardown: () => listeners.clear(),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
})
