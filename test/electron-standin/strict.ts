import { EventEmitter } from 'node:events'

/** Members that promises, JSON and inspection access on any object. */
const harmless = new Set([
  'then',
  'toJSON',
  'inspect',
  'domain',
  'constructor',
  'asymmetricMatch',
  'nodeType',
  'tagName',
  '$$typeof',
])

const guard = new Proxy(Object.prototype, {
  get(target, key, receiver) {
    if (typeof key === 'symbol' || key in target || harmless.has(key))
      return Reflect.get(target, key, receiver)
    throw new Error(`The stand-in for Electron has no member ${key}`)
  },
})

/**
 * An EventEmitter whose prototype chain ends with a guard: accessing a member that the stand-in lacks throws instead of
 * returning undefined.
 */
export const StrictEmitter: typeof EventEmitter = (() => {
  class Emitter extends EventEmitter {}
  Object.setPrototypeOf(
    Emitter.prototype,
    Object.create(guard, Object.getOwnPropertyDescriptors(EventEmitter.prototype)),
  )
  return Emitter as typeof EventEmitter
})()

/** An object whose unknown members throw. */
export function strict<T extends object>(object: T): T {
  return Object.setPrototypeOf(object, guard) as T
}

/** A preventable event of Electron (`shell/common/gin_helper/event.cc`). */
export class ElectronEvent {
  defaultPrevented = false
  constructor(fields: object = {}) {
    Object.assign(this, fields)
  }
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

/** Emits a preventable event; returns whether it was prevented. */
export function refused(
  emitter: EventEmitter,
  name: string,
  fields: object,
  ...args: readonly unknown[]
): boolean {
  const event = new ElectronEvent(fields)
  emitter.emit(name, event, ...args)
  return event.defaultPrevented
}
