import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { steadyThreadsFlag } from '../v8-wasm-workaround.ts'
import { neededEnv } from './env.ts'
import type { FromProcess } from './messages.ts'
import type { OpenProcess } from './program.ts'

/** Starts plain Node processes; `url` is the program `workers/own-process.ts`. Electron's processes do not run as Node. */
export const forkedProcess =
  (url: URL): OpenProcess =>
  () => {
    const child = fork(fileURLToPath(url), [], {
      execArgv: [steadyThreadsFlag],
      env: neededEnv(process.env),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    })
    // The caller is notified of its end by `exit`.
    child.on('error', () => {})
    const keep = (alive: boolean): void => {
      if (alive) {
        child.ref()
        child.channel?.ref()
      } else {
        child.unref()
        child.channel?.unref()
      }
    }
    keep(false)
    return {
      post(message) {
        if (child.connected) child.send(message, () => {})
      },
      onMessage: (listener) =>
        void child.on('message', (message: FromProcess) => listener(message)),
      onClose: (listener) => {
        let notified = false
        const notify = (): void => {
          if (!notified) listener()
          notified = true
        }
        child.once('exit', notify)
        // A process that could not be started never exits.
        child.once('error', () => child.pid === undefined && notify())
      },
      close: () => void child.kill('SIGKILL'),
      keep,
    }
  }
