/** Things that were used last, up to a number. */
export interface LruCache<T> {
  /** What is kept under a key, or what `make` makes of it now. */
  of(key: string, make: () => T): T
  forget(): void
  readonly size: number
}

/** Builds an empty store that drops what was used longest ago. */
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
