import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deserializeValue, MessagePortMain, PortLink, serializeValue } from './ports.ts'
import type { UtilityMessage } from './utility-process.ts'

// Entry of a utility process: `process.parentPort` first, then the app's module (`lib/utility/init.ts`).
const [, , modulePath = ''] = process.argv
process.argv.splice(1, 2, modulePath)

const channel = process.send?.bind(process)
const send = (message: UtilityMessage): void => void channel?.(message)
const link = new PortLink('r', send)

/** `process.parentPort` (`lib/utility/parent-port.ts`): messages are queued until there is a listener. */
class ParentPort extends EventEmitter {
  private waiting: Extract<UtilityMessage, { t: 'message' }>[] = []
  private running = false

  start(): void {
    this.running = true
    for (const message of this.waiting.splice(0)) this.deliver(message)
  }

  pause(): void {
    this.running = false
  }

  postMessage(message: unknown): void {
    send({ t: 'message', data: serializeValue(message), ports: [] })
  }

  accept(message: Extract<UtilityMessage, { t: 'message' }>): void {
    if (this.running) this.deliver(message)
    else this.waiting.push(message)
  }

  private deliver({ data, ports }: Extract<UtilityMessage, { t: 'message' }>): void {
    this.emit('message', {
      data: deserializeValue(data),
      ports: ports.map((id) => new MessagePortMain(link.take(id))),
    })
  }
}

const parentPort = new ParentPort()
parentPort.on('newListener', (name) => {
  // The listener is added after this event.
  if (name === 'message' && parentPort.listenerCount('message') === 0)
    queueMicrotask(() => parentPort.start())
})
parentPort.on('removeListener', (name) => {
  if (name === 'message' && parentPort.listenerCount('message') === 0) parentPort.pause()
})
process.on('message', (message: UtilityMessage) => {
  if (message.t === 'message') parentPort.accept(message)
  else link.receive(message)
})
process.once('disconnect', () => process.exit(0))

Object.defineProperty(process, 'parentPort', { enumerable: true, value: parentPort })
Object.defineProperty(process, 'type', { enumerable: true, value: 'utility' })
// A utility process has no Node channel to its parent.
Object.defineProperty(process, 'send', { value: undefined })
// The binary is Electron's, which does not run as Node (fuse RunAsNode): nothing can be forked with it.
process.execPath = join(dirname(process.execPath), 'electron')
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier.startsWith('electron/'))
      throw new Error(`A utility process of Lectern has nothing of ${specifier}`)
    return next(specifier, context)
  },
})

await import(pathToFileURL(modulePath).href)
