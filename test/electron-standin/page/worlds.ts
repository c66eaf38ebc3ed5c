/** A value being sent from one JavaScript world of a page to the other. */
export type Wire =
  | readonly ['value', unknown]
  | readonly ['function', number]
  | readonly ['returned', number]
  | readonly ['promise', number]
  | readonly ['error', string]
  | readonly ['array', readonly Wire[]]
  | readonly ['object', readonly (readonly [string, Wire])[]]
  | readonly ['element', number]

/** One side of the context bridge. */
export interface WorldBridge {
  /** Defines an API on the other world's global object. */
  expose(key: string, api: unknown): void
  /** Handlers of calls from the other world that do not belong to an exposed API. */
  readonly handlers: Map<string, (...args: readonly unknown[]) => unknown>
  /** Calls one of the other world's handlers. */
  call(name: string, ...args: readonly unknown[]): unknown
}

/**
 * Connects two worlds of one document like the context bridge (`shell/renderer/api/electron_api_context_bridge.cc`):
 * copies values by its rules, and leaves functions and promises where they are. Uses custom events, since they are
 * synchronous and their `detail` is cloned between worlds. Injected into both worlds as source code, so it refers to
 * nothing outside of itself.
 */
export function connectWorlds(secret: string, side: 'main' | 'isolated'): WorldBridge {
  interface WorldMessage {
    readonly kind: 'call' | 'settle' | 'named' | 'expose'
    readonly id?: number
    readonly name?: string
    readonly ok?: boolean
    readonly args: readonly Wire[]
  }
  interface Answer {
    readonly ok: boolean
    readonly value: Wire
  }
  const ask = `${secret}:${side}`
  const listenChannel = `${secret}:${side === 'main' ? 'isolated' : 'main'}`
  // Saved before the page can replace them.
  const { dispatchEvent, addEventListener, CustomEvent, structuredClone, Promise } = globalThis
  const { apply } = Reflect

  const given = new Map<
    number,
    { readonly fn: (...args: unknown[]) => unknown; readonly self: unknown }
  >()
  const idOf = new WeakMap<object, number>()
  const proxied = new WeakMap<object, number>()
  const settling = new Map<
    number,
    { resolve(value: unknown): void; reject(error: unknown): void }
  >()
  const handlers: WorldBridge['handlers'] = new Map()
  let lastId = 0
  let lastAnswer: Answer | null = null

  const message = (error: unknown): string => {
    const text: unknown =
      Object(error) === error ? Reflect.get(error as object, 'message') : undefined
    return typeof text === 'string' ? text : String(error)
  }
  const cloneable = (value: unknown): Wire => {
    try {
      return ['value', structuredClone(value)]
    } catch {
      throw new Error('An object could not be cloned.')
    }
  }
  const isPlain = (value: object): boolean => {
    const kind = Object.prototype.toString.call(value)
    return !/Date|RegExp|Map|Set|ArrayBuffer|DataView|Array\]|Generator|Boolean\]|Number\]|String\]|BigInt|Symbol|Module|WebAssembly/.test(
      kind,
    )
  }
  /**
   * Rejects plain objects without functions or promises that cannot be cloned as a whole: proxies (reactive objects).
   */
  const refuseProxies = (value: unknown): void => {
    const simple = (entry: unknown, depth: number): boolean => {
      if (typeof entry === 'function' || typeof entry === 'symbol') return false
      if (typeof entry !== 'object' || entry === null || depth > 1000) return true
      if (entry instanceof Promise || entry instanceof Node || entry instanceof EventTarget)
        return false
      return Array.isArray(entry) || isPlain(entry)
        ? Object.keys(entry).every((key) => simple(Reflect.get(entry, key), depth + 1))
        : true
    }
    if (simple(value, 0)) cloneable(value)
  }

  const send = (question: WorldMessage): Wire => {
    lastAnswer = null
    dispatchEvent.call(globalThis, new CustomEvent(ask, { detail: question }))
    const answer = lastAnswer as Answer | null
    lastAnswer = null
    if (!answer) throw new Error('The other world does not answer')
    if (!answer.ok) throw new Error(answer.value[0] === 'error' ? answer.value[1] : 'Failed')
    return answer.value
  }

  const toWire = (value: unknown, self: unknown, depth: number): Wire => {
    if (depth >= 1000)
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    if (typeof value === 'function') {
      const original = proxied.get(value)
      if (original !== undefined) return ['returned', original]
      let id = idOf.get(value)
      if (id === undefined) {
        id = ++lastId
        idOf.set(value, id)
        given.set(id, { fn: value as (...args: unknown[]) => unknown, self })
      }
      return ['function', id]
    }
    if (typeof value !== 'object' || value === null) return ['value', value]
    if (value instanceof Promise) {
      const id = ++lastId
      const settle = (ok: boolean) => (result: unknown) => {
        let wire: Wire
        try {
          wire = toWire(result, globalThis, 0)
        } catch (error) {
          ok = false
          wire = ['error', message(error)]
        }
        send({ kind: 'settle', id, ok, args: [wire] })
      }
      value.then(settle(true), settle(false))
      return ['promise', id]
    }
    if (value instanceof Error) return ['error', message(value)]
    if (Array.isArray(value)) return ['array', value.map((item) => toWire(item, value, depth + 1))]
    if (value instanceof Blob) return ['value', value]
    if (isPlain(value))
      return [
        'object',
        Object.keys(value).map((key) => [key, toWire(Reflect.get(value, key), value, depth + 1)]),
      ]
    return cloneable(value)
  }

  const fromWire = (wire: Wire): unknown => {
    switch (wire[0]) {
      case 'function': {
        const [, id] = wire
        const proxy = (...args: unknown[]): unknown => {
          for (const arg of args) refuseProxies(arg)
          return fromWire(
            send({ kind: 'call', id, args: args.map((arg) => toWire(arg, globalThis, 0)) }),
          )
        }
        proxied.set(proxy, id)
        return proxy
      }
      case 'returned':
        return given.get(wire[1])?.fn
      case 'promise':
        return new Promise((resolve, reject) => settling.set(wire[1], { resolve, reject }))
      case 'error':
        return new Error(wire[1])
      case 'array':
        return wire[1].map((item) => fromWire(item))
      case 'object':
        return Object.fromEntries(wire[1].map(([key, item]) => [key, fromWire(item)]))
      default:
        return wire[1]
    }
  }

  /** Freezes an exposed API, including its functions. */
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const key of Object.keys(value)) freeze(Reflect.get(value, key))
      Object.freeze(value)
    }
    return value
  }

  const answerTo = (question: WorldMessage): unknown => {
    const args = question.args.map((arg) => fromWire(arg))
    if (question.kind === 'call') {
      const target = given.get(question.id ?? 0)
      if (!target) throw new Error('That function is gone')
      return apply(target.fn, target.self, args)
    }
    if (question.kind === 'named') return handlers.get(question.name ?? '')?.(...args)
    if (question.kind === 'expose') {
      const key = question.name ?? ''
      if (Object.hasOwn(globalThis, key))
        throw new Error(`Cannot bind an API on top of an existing property on the window object`)
      Object.defineProperty(globalThis, key, { value: freeze(args[0]), enumerable: true })
      return undefined
    }
    const waiting = settling.get(question.id ?? 0)
    settling.delete(question.id ?? 0)
    if (question.ok) waiting?.resolve(args[0])
    else waiting?.reject(args[0])
    return undefined
  }

  addEventListener.call(globalThis, listenChannel, (event) => {
    event.stopImmediatePropagation()
    let answer: Answer
    try {
      const { detail } = event as CustomEvent<WorldMessage>
      answer = { ok: true, value: toWire(answerTo(detail), globalThis, 0) }
    } catch (error) {
      answer = { ok: false, value: ['error', message(error)] }
    }
    dispatchEvent.call(globalThis, new CustomEvent(`${ask}:answer`, { detail: answer }))
  })
  addEventListener.call(globalThis, `${listenChannel}:answer`, (event) => {
    lastAnswer = (event as CustomEvent<Answer>).detail
  })

  return {
    expose(key, api) {
      send({ kind: 'expose', name: key, args: [toWire(api, globalThis, 0)] })
    },
    handlers,
    call: (name, ...args) =>
      fromWire(send({ kind: 'named', name, args: args.map((arg) => toWire(arg, globalThis, 0)) })),
  }
}
