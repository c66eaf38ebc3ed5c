/** Converts values to text and back. */
export interface Codec {
  encode(value: unknown): string
  decode(text: string): unknown
}

/**
 * Creates a codec for everything that the structured clone algorithm supports, as far as IPC transfers it: cycles,
 * dates, maps, sets, errors, regular expressions, big integers and bytes. `text` is applied to every string (to
 * translate URLs). The function is also injected into pages as source code, so it refers to nothing outside of itself.
 */
export function createCodec(
  textOut: (text: string) => string,
  textIn: (text: string) => string,
): Codec {
  interface Tagged {
    readonly $: string
    readonly v?: unknown
    readonly k?: string
    readonly o?: number
    readonly l?: number
  }
  interface Base64 {
    toBase64?: () => string
  }
  const refuse = (): never => {
    throw new Error('An object could not be cloned.')
  }
  const toBase64 = (bytes: Uint8Array): string =>
    (bytes as Base64).toBase64?.() ??
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
    const make = Reflect.get(Uint8Array, 'fromBase64') as
      | ((text: string) => Uint8Array<ArrayBuffer>)
      | undefined
    if (make) return make.call(Uint8Array, text)
    return new Uint8Array(Buffer.from(text, 'base64'))
  }

  const encode = (value: unknown): string => {
    const seen = new Map<object, number>()
    const pairs = (map: Iterable<readonly [unknown, unknown]>): unknown[] =>
      [...map].map(([key, entry]) => [walk(key), walk(entry)])
    const walkObject = (entry: object): unknown => {
      const before = seen.get(entry)
      if (before !== undefined) return { $: 'r', v: before }
      seen.set(entry, seen.size)
      if (Array.isArray(entry)) return Array.from(entry, (item) => walk(item))
      if (entry instanceof Date) return { $: 'd', v: entry.getTime() }
      if (entry instanceof RegExp) return { $: 'x', v: entry.source, k: entry.flags }
      if (entry instanceof Map) return { $: 'm', v: pairs(entry) }
      if (entry instanceof Set) return { $: 's', v: [...entry].map((item) => walk(item)) }
      if (entry instanceof Error)
        return { $: 'e', k: entry.name, v: [textOut(entry.message), entry.stack ?? ''] }
      if (entry instanceof ArrayBuffer) return { $: 'a', v: toBase64(new Uint8Array(entry)) }
      if (ArrayBuffer.isView(entry)) {
        const bytes = new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength)
        const kind = Object.prototype.toString.call(entry).slice(8, -1)
        return { $: 'y', k: kind, v: toBase64(bytes) }
      }
      const kind = Object.prototype.toString.call(entry).slice(8, -1)
      if (kind !== 'Object') refuse()
      const own = Object.keys(entry).map((key) => [key, Reflect.get(entry, key)] as const)
      return { $: 'o', v: own.map(([key, item]) => [key, walk(item)]) }
    }
    const walk = (entry: unknown): unknown => {
      if (entry === null || typeof entry === 'boolean') return entry
      if (typeof entry === 'string') return textOut(entry)
      if (typeof entry === 'undefined') return { $: 'u' }
      if (typeof entry === 'bigint') return { $: 'b', v: String(entry) }
      if (typeof entry === 'number')
        return Number.isFinite(entry) && !Object.is(entry, -0)
          ? entry
          : { $: 'n', v: Object.is(entry, -0) ? '-0' : String(entry) }
      if (typeof entry === 'object') return walkObject(entry)
      return refuse()
    }
    return JSON.stringify(walk(value))
  }

  const decode = (text: string): unknown => {
    const made: unknown[] = []
    const keep = <T>(value: T): T => {
      made.push(value)
      return value
    }
    const bytesOf = (tagged: Tagged): unknown => {
      const bytes = fromBase64(String(tagged.v))
      if (tagged.$ === 'a') return bytes.buffer
      const Kind = Reflect.get(globalThis, tagged.k ?? '') as typeof Uint8Array
      return tagged.k === 'Uint8Array' ? bytes : new Kind(bytes.buffer)
    }
    const objectOf = (tagged: Tagged): unknown => {
      const value = tagged.v as readonly unknown[]
      switch (tagged.$) {
        case 'o': {
          const result = keep<Record<string, unknown>>({})
          for (const [key, entry] of value as readonly (readonly [string, unknown])[])
            result[key] = walk(entry)
          return result
        }
        case 'm': {
          const result = keep(new Map())
          for (const [key, entry] of value as readonly (readonly [unknown, unknown])[])
            result.set(walk(key), walk(entry))
          return result
        }
        case 's': {
          const result = keep(new Set())
          for (const entry of value) result.add(walk(entry))
          return result
        }
        case 'd':
          return keep(new Date(Number(tagged.v)))
        case 'x':
          return keep(new RegExp(String(tagged.v), tagged.k))
        case 'e': {
          const error = keep(new Error(textIn(String(value[0]))))
          error.name = tagged.k ?? 'Error'
          error.stack = String(value[1])
          return error
        }
        default:
          return keep(bytesOf(tagged))
      }
    }
    const walk = (entry: unknown): unknown => {
      if (typeof entry === 'string') return textIn(entry)
      if (typeof entry !== 'object' || entry === null) return entry
      if (Array.isArray(entry)) {
        const result: unknown[] = keep([])
        for (const item of entry) result.push(walk(item))
        return result
      }
      const tagged = entry as Tagged
      if (tagged.$ === 'u') return undefined
      if (tagged.$ === 'b') return BigInt(String(tagged.v))
      if (tagged.$ === 'n') return Number(tagged.v)
      if (tagged.$ === 'r') return made[Number(tagged.v)]
      return objectOf(tagged)
    }
    return walk(JSON.parse(text))
  }

  return { encode, decode }
}
