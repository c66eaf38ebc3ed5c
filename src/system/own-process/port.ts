import type { MessagePort } from 'node:worker_threads'
import type { FromProcess, ToProcess } from './messages.ts'
import type { ProcessChannel } from './program.ts'

/** End of a message channel to a process, of Electron or Node. */
export interface ProcessPort {
  postMessage(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
  close(): void
}

/** Wraps a Node port. It keeps no thread alive. */
export function nodePort(port: MessagePort): ProcessPort {
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', listener)
      port.unref()
    },
    onClose: (listener) => void port.once('close', listener),
    close: () => port.close(),
  }
}

/** Connects a port with the process it requested, until either is gone. */
export function joinProcess(port: ProcessPort, channel: ProcessChannel): void {
  channel.onMessage((message) => port.postMessage(message))
  channel.onClose(() => port.close())
  port.onMessage((message) => channel.post(message as ToProcess))
  port.onClose(() => channel.close())
}

/** Returns the channel of a process started elsewhere, over its port: messages sent before the port arrives are queued. */
export function processOverPort(pending: Promise<ProcessPort>): ProcessChannel {
  const waiting: ToProcess[] = []
  const messages: ((message: FromProcess) => void)[] = []
  const closes: (() => void)[] = []
  let port: ProcessPort | null = null
  let closed = false
  const onClosed = (): void => {
    if (closed) return
    closed = true
    for (const listener of closes) listener()
  }
  pending.then((opened) => {
    if (closed) return opened.close()
    port = opened
    opened.onClose(onClosed)
    opened.onMessage((message) => {
      for (const listener of messages) listener(message as FromProcess)
    })
    for (const message of waiting.splice(0)) opened.postMessage(message)
    return undefined
  }, onClosed)
  return {
    post(message) {
      if (closed) return
      if (port) port.postMessage(message)
      else waiting.push(message)
    },
    onMessage: (listener) => void messages.push(listener),
    onClose: (listener) => void closes.push(listener),
    close() {
      port?.close()
      // Reported asynchronously, like an exit.
      queueMicrotask(onClosed)
    },
    keep: () => {},
  }
}
