/** Things that were used last, up to a number. */
export interface LruCache<T> {
  /** What is kept under a key, or what `make` makes of it now. */
  of(key: string, make: () => T): T
  forget(): void
  readonly size: number
}

/** Builds an empty store that drops what was used longest ago. */
export function createLruCache<T>(most: number): LruCache<T> {
  const kept = new Map<string, T>()
  return {
    of(key, make) {
      const found = kept.get(key)
      const thing = found ?? make()
      kept.delete(key)
      kept.set(key, thing)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return thing
    },
    forget: () => kept.clear(),
    get size() {
      return kept.size
    },
  }
}
