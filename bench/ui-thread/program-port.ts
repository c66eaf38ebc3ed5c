import { MessageChannel } from 'node:worker_threads'
import { forkedProcess } from '../../src/system/own-process/fork.ts'
import { joinProcess, nodePort } from '../../src/system/own-process/port.ts'

const openProcess = forkedProcess(new URL('../../out/main/workers/own-process.js', import.meta.url))

/**
 * Returns the ports that the core receives with a message of its host. Node cannot send ports between processes: the file program
 * that Electron's main process would start is started here by the core instead, still in a separate process.
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
