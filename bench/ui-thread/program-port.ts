import { MessageChannel } from 'node:worker_threads'
import { forkedProcess } from '../../src/system/own-process/fork.ts'
import { joinProcess, nodePort } from '../../src/system/own-process/port.ts'

const openProcess = forkedProcess(new URL('../../out/main/workers/own-process.js', import.meta.url))

/**
 * Returns the ports that come to the core with a message of its host. Node cannot send ports between processes: the program for files
 * that Electron's main process would start is begun here, beside the core, in a process of its own all the same.
 */
export function portsWith(message: unknown): readonly object[] {
  if (typeof message !== 'object' || message === null) return []
  if (!('t' in message) || message.t !== 'process') return []
  const { port1, port2 } = new MessageChannel()
  joinProcess(nodePort(port1), openProcess())
  return [
    {
      postMessage: (data: unknown) => port2.postMessage(data),
      on(event: string, listener: (value: never) => void) {
        if (event === 'message') port2.on('message', (data) => listener({ data } as never))
        else port2.on('close', () => listener(undefined as never))
      },
      once(event: string, listener: () => void) {
        port2.once(event, listener)
      },
      start: () => port2.unref(),
      close: () => port2.close(),
    },
  ]
}
