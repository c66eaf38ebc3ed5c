/** Cache of the most recently used values, up to a number. */
interface LruCache<T> {
  /** Returns the value cached under a key, or the new one of `make`. */
  of(key: string, make: () => T): T
  forget(): void
  readonly size: number
}

/** Creates an empty cache that drops the least recently used value. */
export function createLruCache<T>(maxSize: number): LruCache<T> {
  const entries = new Map<string, T>()
  return {
    of(key, make) {
      const found = entries.get(key)
      const thing = found ?? make()
      entries.delete(key)
      entries.set(key, thing)
      const [oldest] = entries.keys()
      if (entries.size > maxSize && oldest !== undefined) entries.delete(oldest)
      return thing
    },
    forget: () => entries.clear(),
    get size() {
      return entries.size
    },
  }
}
